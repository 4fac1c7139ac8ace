import { test } from 'vitest'
import { unchangedExampleApp } from './example-app.ts'
import { encodings } from './requests.ts'
import {
  bodyMembers,
  expectInvalidMember,
  expectInvalidParam,
  hasForm,
  integerParams,
  invalidIntegers,
  invalidValuesOf,
} from './validation.ts'

const expectNoChange = unchangedExampleApp()

test.each(integerParams)('%s refuses every kind of invalid integer as %s', (name, param, minimum) =>
  expectNoChange(async (t) => {
    for (const value of invalidIntegers(minimum)) await expectInvalidParam(t, name, param, value)
  }),
)

test.each(bodyMembers)('%s refuses every invalid %s in every encoding', (name, member) =>
  expectNoChange(async (t) => {
    for (const invalid of invalidValuesOf(name, member))
      for (const encode of hasForm(invalid[0]) ? Object.values(encodings) : [encodings.json])
        await expectInvalidMember(t, name, member, invalid, encode)
  }),
)
