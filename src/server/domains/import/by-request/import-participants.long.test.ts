import { expect, test } from 'vitest'
import { apply, eva, gil, startWithDesk, toFile } from './import-participants.fixtures.ts'

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
