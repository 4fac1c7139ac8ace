import { expect, test } from 'vitest'
import { setUpUnchangedExampleApp } from './example-app.ts'
import { operationOf, withBody } from './examples.ts'
import { encodings, requestFor, send } from './requests.ts'
import {
  bodyMembers,
  type Encode,
  expectInvalidMember,
  expectInvalidParam,
  hasForm,
  type InvalidValue,
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
        const sent = getsAll ? values : values.slice(0, 3)
        await Promise.all(sent.map((value) => expectInvalidParam(t, name, param, value)))
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
      const expectInvalid = async ([value, reason]: InvalidValue) => {
        const used: Encode[] = [encodings.json]
        // Forms become the same members as JSON, so one value of each reason is enough.
        if (hasForm(value) && (isExhaustive || !sentAsForm.has(reason))) {
          sentAsForm.add(reason)
          used.push(encodings.urlencoded, encodings.multipart)
        }
        await Promise.all(used.map((encode) => expectInvalidMember(t, name, member, [value, reason], encode)))
      }
      await Promise.all((getsAll ? values : values.slice(0, 6)).map(expectInvalid))
    }),
  )
}
