import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/app.ts'
import * as make from '../../../../../test/make.ts'
import { defaultLimits } from '../../../../contract/limits.ts'
import { commandScope } from '../../../scope.ts'
import { parseParticipants } from '../csv/participants-csv.ts'
import { prepareParticipants } from './participants-plan.ts'

const applyCsv = (t: TestApp, text: string, samePerson = false) =>
  t.ctx.database.transaction(async (tx) => {
    const { participants } = parseParticipants(text, defaultLimits)
    const { plan, writes } = await prepareParticipants(commandScope(t.ctx, tx, 'import'), participants, { samePerson })
    for (const { write } of writes) await write()
    return plan
  })

const importCsv = async (t: TestApp, text: string, samePerson = false) =>
  (await applyCsv(t, text, samePerson)).participants.map(({ change, differences }) => [change, ...differences])

test('importing a spreadsheet twice changes nothing, and a corrected one updates the participant', async () => {
  await using t = await startTestApp()
  const sheet = 'First name,Last name,E-mail,Job title\nAna,Cruz,ana@x.example,Engineer\nBen,Ito,ben@x.example,'
  expect(await importCsv(t, sheet)).toEqual([['new'], ['new']])
  expect(await importCsv(t, sheet)).toEqual([['unchanged'], ['unchanged']])
  expect(await importCsv(t, sheet.replace('Engineer', 'Director'))).toEqual([
    ['changed', 'job title “Engineer” → “Director”'],
    ['unchanged'],
  ])

  const { participants } = await t.client.listParticipants({ offset: 0, limit: 10 })
  expect(participants.map(({ full_name, designation }) => [full_name, designation])).toEqual([
    ['Ana Cruz', 'Director'],
    ['Ben Ito', ''],
  ])
})

test('importing an exported spreadsheet changes nothing', async () => {
  await using t = await startTestApp()
  await make.participant(t, { email: 'Ana@x.example', mobile_no: '+47 1' })
  // As written by `summit export participants`, but with the address in another case.
  expect(await importCsv(t, "email,mobile_no\r\nana@x.example,'+47 1")).toEqual([['unchanged']])
})

test('participants missing from the spreadsheet stay, and empty cells clear nothing', async () => {
  await using t = await startTestApp()
  await make.participant(t, { email: 'Ana@x.example', mobile_no: '+47 1' })
  await make.participant(t, { first_name: 'Zoe', employee_no: 'E9' })
  await importCsv(t, 'email,mobile,designation\nana@x.example,,Chair')
  const { participants } = await t.client.listParticipants({ offset: 0, limit: 10 })
  expect(participants).toHaveLength(2)
  expect(participants[0]).toMatchObject({ mobile_no: '+47 1', designation: 'Chair' })
})

test('a row is matched by its address before its number, so that two people are not merged', async () => {
  await using t = await startTestApp()
  await make.participant(t, { first_name: 'Ben', email: 'b@x.example', employee_no: '1' })
  const sheet = 'id,email,first name\n1,a@x.example,Ana\n2,b@x.example,Ben'
  expect(await importCsv(t, sheet)).toEqual([['new'], ['changed', 'employee number “1” → “2”']])
  expect(await importCsv(t, sheet)).toEqual([['unchanged'], ['unchanged']])
})

test('a plan shows the old and new values of all fields, in words', async () => {
  await using t = await startTestApp()
  await make.participant(t, { first_name: 'Ada', last_name: '', email: 'ada@x.example', employee_no: '7' })
  const sheet = 'id,email,first name,last name,job\n7,other@x.example,Other,One,Chair'
  expect(await importCsv(t, sheet, true)).toEqual([
    [
      'changed',
      'e-mail address “ada@x.example” → “other@x.example”',
      'first name “Ada” → “Other”',
      'last name none → “One”',
      'job title “Engineer” → “Chair”',
    ],
  ])
})

test('a row with a new address is its participant only if the operator says so', async () => {
  await using t = await startTestApp()
  await make.participant(t, { first_name: 'Ana', last_name: 'Cruz', email: 'ana@x.example', employee_no: '7' })
  await make.participant(t, { first_name: 'Jürgen', last_name: 'Holm', email: 'jh@x.example' })
  const sheet = 'id,email,name\n7,ana@new.example,Ana Cruz\n,jh@new.example,Jurgen Holm'
  const { participants, warnings } = await applyCsv(t, sheet)
  expect([participants, warnings.map(({ line, message }) => `${line}: ${message}`)]).toEqual([
    [],
    [
      '2: Participant 1, “Ana Cruz”, has the address “ana@x.example”, but this row “ana@new.example”; row skipped. If ' +
        'this is the same person, add --same-person.',
      '3: Participant 2, “Jürgen Holm”, has the address “jh@x.example”, but this row “jh@new.example”; row skipped. If ' +
        'this is the same person, add --same-person. If this is somebody else, add the row of the other to the file, or ' +
        'employee numbers for both.',
    ],
  ])
  expect(await importCsv(t, sheet, true)).toEqual([
    ['changed', 'e-mail address “ana@x.example” → “ana@new.example”'],
    ['changed', 'e-mail address “jh@x.example” → “jh@new.example”', 'first name “Jürgen” → “Jurgen”'],
  ])
  expect(await importCsv(t, sheet)).toEqual([['unchanged'], ['unchanged']])
})

test('two people of one name are two participants if the file or their numbers tell them apart', async () => {
  await using t = await startTestApp()
  const first = 'id,email,name\n1,kim@a.example,Kim Lee\n2,kim@b.example,Kim Lee'
  expect(await importCsv(t, first)).toEqual([['new'], ['new']])
  expect(await importCsv(t, 'id,email,name\n3,kim@c.example,Kim Lee')).toEqual([['new']])
  expect(await importCsv(t, `${first}\n3,kim@c.example,Kim Lee\n,kim@d.example,Kim Lee`)).toEqual([
    ...[['unchanged'], ['unchanged'], ['unchanged'], ['new']],
  ])
  // Which of the four has a new address, nobody can tell.
  for (const samePerson of [false, true])
    expect(await importCsv(t, 'email,name\nkim@e.example,Kim Lee', samePerson)).toEqual([])
})

test('several rows never become one participant of their name', async () => {
  await using t = await startTestApp()
  await make.participant(t, { first_name: 'Kim', last_name: 'Lee', email: 'kim@a.example' })
  const sheet = 'email,name\nkim@b.example,Kim Lee\nkim@c.example,Kim Lee'
  for (const samePerson of [false, true]) expect(await importCsv(t, sheet, samePerson)).toEqual([])
})

test('a stored address with an invisible character is that of the row without it', async () => {
  await using t = await startTestApp()
  await make.participant(t, { first_name: 'Ana', last_name: 'Cruz', email: 'ana@x.example\u200B' })
  expect(await importCsv(t, 'email,name\nana@x.example,Ana Cruz')).toEqual([['changed', expect.any(String)]])
  expect(await importCsv(t, 'email,name\nana@x.example,Ana Cruz')).toEqual([['unchanged']])
})

test('rows with the number of another person are skipped, and that person is named', async () => {
  await using t = await startTestApp()
  await make.participant(t, { first_name: 'Ana', last_name: 'Cruz', email: 'a@x.example', employee_no: 'E1' })
  await make.participant(t, { first_name: 'Ben', last_name: 'Ito', email: 'b@x.example', employee_no: 'E2' })
  const { participants, warnings } = await applyCsv(t, 'email,id,job\na@x.example,E2,Chair\nc@x.example,E1,')
  expect(participants).toEqual([])
  expect(warnings).toMatchObject([
    { line: 2, message: 'The employee number “E2” already belongs to Ben Ito <b@x.example, E2>; row skipped.' },
    {
      line: 3,
      message: 'The employee number “E1” already belongs to Ana Cruz <a@x.example, E1>; row skipped.',
    },
  ])
  const all = (await t.client.listParticipants({ offset: 0, limit: 10 })).participants
  expect(all.map(({ employee_no, designation }) => [employee_no, designation])).toEqual([
    ['E1', 'Engineer'],
    ['E2', 'Engineer'],
  ])
})

test('a row that matches two people is skipped, and both are named', async () => {
  await using t = await startTestApp()
  for (const email of ['a@x.example', 'b@x.example'])
    await make.participant(t, { first_name: 'Kim', last_name: 'Lee', email, employee_no: 'E2' })
  const { participants, warnings } = await applyCsv(t, 'employee no,job\nE2,Chair')
  expect(participants).toEqual([])
  const message =
    'The employee number “E2” already belongs to Kim Lee <a@x.example, E2> and Kim Lee <b@x.example, E2>; row skipped.'
  expect(warnings).toMatchObject([{ line: 2, message }])
  expect(await importCsv(t, 'id,email,job\nE2,b@x.example,Chair')).toEqual([
    ['changed', 'job title “Engineer” → “Chair”'],
  ])
})

test('people may exchange numbers within a file, but only if none ends up with two owners', async () => {
  await using t = await startTestApp()
  for (const name of ['a', 'b', 'c']) await make.participant(t, { email: `${name}@x.example`, employee_no: name })
  const numbers = async () =>
    (await t.client.listParticipants({ offset: 0, limit: 10 })).participants.map(({ employee_no }) => employee_no)
  const shifted = 'email,id\na@x.example,b\nb@x.example,c'
  const { participants, warnings } = await applyCsv(t, shifted)
  expect([participants, warnings.map(({ line }) => line)]).toEqual([[], [2, 3]])
  expect(await numbers()).toEqual(['a', 'b', 'c'])
  expect(await importCsv(t, `${shifted}\nc@x.example,a`)).toHaveLength(3)
  expect(await numbers()).toEqual(['b', 'c', 'a'])
})

/** Every pair of participants with the same address or number. */
async function pairsSharingIdentity(t: TestApp): Promise<string[]> {
  const people = await t.ctx.database.read.selectFrom('participant').selectAll().orderBy('id').execute()
  const ids = people.flatMap(({ id, email, employee_no }) => [
    { id, identity: email.toLowerCase() },
    { id, identity: employee_no },
  ])
  const pairs = ids.flatMap((one) => ids.map((other) => ({ one, other })))
  return pairs
    .filter(({ one, other }) => one.id < other.id && one.identity !== '' && one.identity === other.identity)
    .map(({ one, other }) => `${one.id} ${other.id} ${one.identity}`)
}

test('an import adds no address or number that two participants share, and importing again changes nothing', async () => {
  await using t = await startTestApp()
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
        const before = await pairsSharingIdentity(t)
        await importCsv(t, sheet)
        for (const pair of await pairsSharingIdentity(t)) expect(before).toContain(pair)
        expect((await importCsv(t, sheet)).filter(([change]) => change !== 'unchanged')).toEqual([])
      }
    }),
  )
})
