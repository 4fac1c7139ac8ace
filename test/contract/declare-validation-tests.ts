import { expect, test } from 'vitest'
import { setUpUnchangedExampleApp } from './example-app.ts'
import { operationOf, withBody } from './examples.ts'
import { encodings, requestFor, send } from './requests.ts'
import {
  bodyMembers,
  expectInvalidMember,
  expectInvalidParam,
  hasForm,
  integerParams,
  invalidIntegers,
  invalidValuesOf,
} from './validation.ts'

/** @param isExhaustive whether every operation gets every invalid value, in every encoding */
export function declareValidationTests({ isExhaustive }: { isExhaustive: boolean }): void {
  const expectNoChange = setUpUnchangedExampleApp()

  test.each(integerParams)(
    '%s accepts a %s within its range, including both ends, and no other',
    (name, param, minimum) =>
      expectNoChange(async (t) => {
        // One parser reads all integers, so it is enough if one parameter gets all values.
        const getsAll = isExhaustive || name === integerParams[0]?.[0]
        const values = invalidIntegers(minimum)
        for (const value of getsAll ? values : values.slice(0, 3)) await expectInvalidParam(t, name, param, value)
        for (const value of [minimum, Number.MAX_SAFE_INTEGER]) {
          if (operationOf(name).method !== 'GET' && value === minimum) continue
          const response = await send(t, requestFor(name, { params: { [param]: value } }))
          expect(response.bytes.includes('"VALIDATION_FAILED"'), `${param} ${value}`).toBe(false)
        }
      }),
  )

  test.each(bodyMembers)('%s refuses an invalid %s and names it', (name, member) =>
    expectNoChange(async (t) => {
      const values = invalidValuesOf(name, member)
      // One parser reads all files, so it is enough if one operation gets all values.
      const getsAll = isExhaustive || member !== 'uploaded_files' || name === withBody[0]
      const sentAsForm = new Set<string>()
      for (const [value, reason] of getsAll ? values : values.slice(0, 6)) {
        await expectInvalidMember(t, name, member, [value, reason])
        // Forms become the same members as JSON, so one value of each reason is enough.
        if (!hasForm(value) || (sentAsForm.has(reason) && !isExhaustive)) continue
        sentAsForm.add(reason)
        for (const encode of [encodings.urlencoded, encodings.multipart])
          await expectInvalidMember(t, name, member, [value, reason], encode)
      }
    }),
  )
}
