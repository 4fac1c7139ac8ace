import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import * as make from '../../../test/make.ts'
import { defaultLimits } from '../../contract/limits.ts'
import { scopeOfCommand } from '../command-scope.ts'
import { parseParticipants } from './formats/participants-csv.ts'
import { applyParticipants } from './participants-plan.ts'

const importCsv = async (t: TestApp, text: string) => {
  const plan = await t.ctx.database.transaction((tx) =>
    applyParticipants(
      scopeOfCommand(t.ctx, tx, 'import'),
      parseParticipants(text, defaultLimits).participants,
      () => undefined,
    ),
  )
  return plan.map(({ change, differences }) => [change, ...differences])
}

test('an organizer imports a spreadsheet, twice, and then a corrected one', async () => {
  await using t = await testApp()
  const sheet = 'First name,Last name,E-mail,Job title\nAna,Cruz,ana@x.example,Engineer\nBen,Ito,ben@x.example,'
  expect(await importCsv(t, sheet)).toEqual([['new'], ['new']])
  expect(await importCsv(t, sheet)).toEqual([['unchanged'], ['unchanged']])
  expect(await importCsv(t, sheet.replace('Engineer', 'Director'))).toEqual([['changed', 'designation'], ['unchanged']])

  const { participants } = await t.client.listParticipants({ offset: 0, limit: 10 })
  expect(participants.map(({ full_name, designation }) => [full_name, designation])).toEqual([
    ['Ana Cruz', 'Director'],
    ['Ben Ito', ''],
  ])
})

test('an exported spreadsheet comes back unchanged', async () => {
  await using t = await testApp()
  await make.participant(t, { email: 'Ana@x.example', mobile_no: '+47 1' })
  // As `summit export participants` writes it, and with the address as its owner types it elsewhere.
  expect(await importCsv(t, "email,mobile_no\r\nana@x.example,'+47 1")).toEqual([['unchanged']])
})

test('who is not in the spreadsheet stays, and an empty cell clears nothing', async () => {
  await using t = await testApp()
  await make.participant(t, { email: 'Ana@x.example', mobile_no: '+47 1' })
  await make.participant(t, { first_name: 'Zoe', employee_no: 'E9' })
  await importCsv(t, 'email,mobile,designation\nana@x.example,,Chair')
  const { participants } = await t.client.listParticipants({ offset: 0, limit: 10 })
  expect(participants).toHaveLength(2)
  expect(participants[0]).toMatchObject({ mobile_no: '+47 1', designation: 'Chair' })
})

test('a new address never makes one stored person into two rows, nor two people into one', async () => {
  await using t = await testApp()
  await make.participant(t, { first_name: 'Ben', email: 'b@x.example', employee_no: '1' })
  const sheet = 'id,email,first name\n1,a@x.example,Ana\n2,b@x.example,Ben'
  expect(await importCsv(t, sheet)).toEqual([['new'], ['changed', 'employee_no “1” → “2”']])
  expect(await importCsv(t, sheet)).toEqual([['unchanged'], ['unchanged']])
})

test('a plan shows who would become somebody else', async () => {
  await using t = await testApp()
  await make.participant(t, { first_name: 'Ada', last_name: '', email: 'ada@x.example', employee_no: '7' })
  expect(await importCsv(t, 'id,email,first name,last name,job\n7,other@x.example,Other,One,Chair')).toEqual([
    [
      'changed',
      'email “ada@x.example” → “other@x.example”',
      'first_name “Ada” → “Other”',
      'last_name none → “One”',
      'designation',
    ],
  ])
})

test('whoever was there before, importing the same spreadsheet again changes nothing', async () => {
  await using t = await testApp()
  const [email, number] = [
    fc.constantFrom('', 'a@x.example', 'B@x.example', 'b@x.example'),
    fc.constantFrom('', '1', '2'),
  ]
  const row = fc.tuple(email, number, fc.constantFrom('', 'Ana', 'Ben'), fc.constantFrom('', 'Chair', 'Guest'))
  const sheets = fc.array(fc.array(row, { maxLength: 6 }), { minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 4 }), sheets, async (people, edits) => {
      await t.ctx.database.transaction((tx) => tx.deleteFrom('participant').execute())
      for (const [email, employee_no, first_name] of people)
        await make.participant(t, { email, employee_no, first_name })
      for (const rows of edits) {
        const sheet = ['email,id,first name,position', ...rows.map((cells) => cells.join(','))].join('\n')
        await importCsv(t, sheet)
        expect((await importCsv(t, sheet)).filter(([change]) => change !== 'unchanged')).toEqual([])
      }
    }),
  )
})
