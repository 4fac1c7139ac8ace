import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startAppWithKeys } from '../../../../../test/access/app-with-keys.ts'
import { runSummitInProcess } from '../../../../../test/command.ts'
import { inCommand } from '../../../../../test/in-command.ts'
import type { Client } from '../../../../client/client.ts'
import type { Input } from '../../../../contract/index.ts'
import { undoRevision } from '../../revisions/undo.ts'

const toFile = (...rows: string[]) => new File([['email,name,badge,Diet', ...rows].join('\n')], 'people.csv')
const eva = 'eva@summit.example,Eva Fox,E7,vegan'
const gil = 'gil@summit.example,Gil Hay,E8,'

async function startWithDesk() {
  const t = await startAppWithKeys('members')
  const { client: desk } = await t.issueKey({ roles: ['desk'] })
  const names = async () =>
    (await desk.listParticipants({ offset: 0, limit: 100 })).participants.map(({ full_name }) => full_name)
  return { ...t, desk, names }
}

async function apply(client: Client, file: File, options: Omit<Input<'applyParticipantsImport'>, 'hash'> = {}) {
  const { only: _, ...ofPlan } = options
  const { hash } = (await client.planParticipantsImport(ofPlan, { file })).plan
  return client.applyParticipantsImport({ ...options, hash }, { file })
}

test('the plan says what the command prints, and is applied whole or in chosen rows, and undone', async () => {
  await using t = await startWithDesk()
  const file = toFile(eva, gil, ',No Address,,')
  const path = join(t.dataDir, 'people.csv')
  await writeFile(path, await file.text())
  const { out } = await runSummitInProcess(['import', 'participants', path, '--all'], t.settings)
  const { plan } = await t.desk.planParticipantsImport({}, { file })
  for (const [change, count] of Object.entries(plan.counts))
    expect(out).toContain(`  ${change.padEnd(10)} ${String(count).padStart(6)}`)
  for (const { change, name } of plan.participants) expect(out).toContain(`  ${change.padEnd(10)} ${name}`)
  for (const { line, message } of plan.remarks) expect(out).toContain(`line ${line}: ${message}`)
  for (const { name, count } of plan.unused) expect(out).toContain(`${name} ${count}`)
  expect(plan).toMatchObject({
    counts: { new: 2, changed: 0, unchanged: 0 },
    participants: [{ row: 1, participant_id: null, name: 'Eva Fox <eva@summit.example>', line: 2 }, { row: 2 }],
    remarks: [{ line: 4, kind: 'skipped' }],
    unused: [{ name: '“Diet”', count: 1 }],
  })
  const before = await t.names()

  await apply(t.desk, file, { only: [2] })
  expect(await t.names()).toEqual([...before, 'Gil Hay'])
  const { revision_id } = await apply(t.desk, file)
  expect(await t.names()).toEqual([...before, 'Gil Hay', 'Eva Fox'])
  expect(await apply(t.desk, file)).toEqual({ revision_id: null })
  await inCommand(t, (scope) =>
    undoRevision(scope, { revisionId: Number(revision_id), keepChanged: false, command: 'undo' }),
  )
  expect(await t.names()).toEqual([...before, 'Gil Hay'])
})

test('the desk imports changes of participants who are there already', async () => {
  await using t = await startWithDesk()
  await apply(t.desk, toFile(eva))
  await apply(t.desk, toFile(eva.replace('Fox', 'Day')))
  expect(await t.names()).toContain('Eva Day')
})

test('a plan has both values of what changes, which the desk reads anyway, and is not stored', async () => {
  await using t = await startWithDesk()
  const toFile = (...cells: string[]) => new File([['email,name,mobile,gender', cells.join(',')].join('\n')], 'p.csv')
  await apply(t.desk, toFile('eva@summit.example', 'Eva Fox', '+47 1', 'F'))
  const { participants } = await t.desk.listParticipants({ offset: 0, limit: 100 })
  expect(participants.at(-1)).toMatchObject({ full_name: 'Eva Fox', mobile_no: '+47 1', gender: 'F' })
  const file = toFile('eva@summit.example', 'Eva Fox', '+47 2', 'X')
  const { plan } = await t.desk.planParticipantsImport({}, { file, idempotencyKey: 'plan-of-the-desk' })
  expect(plan.participants).toMatchObject([
    { change: 'changed', differences: ['mobile number “+47 1” → “+47 2”', 'gender “F” → “X”'] },
  ])
  const { read } = t.ctx.database
  expect(await read.selectFrom('idempotency').selectAll().execute()).toEqual([])
  const states = await read.selectFrom('revision_record').select(['before', 'after']).execute()
  expect(JSON.stringify(states)).not.toContain('+47 2')
})

test('the addresses for codes count as set by the organizer who imports them', async () => {
  await using t = await startWithDesk()
  await apply(t.desk, toFile(eva))
  await apply(t.owner.client, toFile(gil))
  const logins = await t.ctx.database.read.selectFrom('login').select(['email', 'from_desk']).orderBy('email').execute()
  expect(logins).toEqual([
    { email: 'eva@summit.example', from_desk: 1 },
    { email: 'gil@summit.example', from_desk: 0 },
  ])
})

test('only an owner imports another address of a participant who holds a key with roles', async () => {
  await using t = await startWithDesk()
  await apply(t.owner.client, toFile(eva))
  const [participant] = await t.ctx.database.read.selectFrom('login').select('participant_id').execute()
  await t.issueKey({ participant: participant?.participant_id ?? (0 as never), roles: ['editor'] })
  const moved = toFile(eva.replace('eva@', 'eva.fox@'))
  await expect(apply(t.desk, moved, { same_person: true })).rejects.toMatchObject({ data: { reason: 'FORBIDDEN' } })
  await apply(t.owner.client, moved, { same_person: true })
  const [login] = await t.ctx.database.read.selectFrom('login').select('email').execute()
  expect(login?.email).toBe('eva.fox@summit.example')
})

test('an import is refused with the present plan if a participant has changed since, and without a usable row', async () => {
  await using t = await startWithDesk()
  const file = toFile(eva, gil)
  const { hash } = (await t.desk.planParticipantsImport({}, { file })).plan
  await apply(t.desk, toFile(gil))
  await expect(t.desk.applyParticipantsImport({ hash }, { file })).rejects.toMatchObject({
    data: { reason: 'EVENT_CHANGED', current: { plan: { counts: { new: 1, unchanged: 1 } } } },
  })
  await expect(t.desk.planParticipantsImport({}, { file: toFile(',Eva Fox,,') })).rejects.toMatchObject({
    data: {
      reason: 'VALIDATION_FAILED',
      fields: [{ field: 'file', reason: 'NOT_IMPORTABLE', message: expect.stringMatching(/^line 2: /) }],
    },
  })
})

test('an editor may not import participants, nor the desk a program', async () => {
  await using t = await startWithDesk()
  const { client: editor } = await t.issueKey({ roles: ['editor'] })
  const refused = { data: { reason: 'FORBIDDEN' } }
  await expect(editor.planParticipantsImport({}, { file: toFile(eva) })).rejects.toMatchObject(refused)
  await expect(editor.applyParticipantsImport({ hash: '0' }, { file: toFile(eva) })).rejects.toMatchObject(refused)
  await expect(t.desk.planImport({}, { file: toFile(eva) })).rejects.toMatchObject(refused)
})
