import { expect, test } from 'vitest'
import { startAppWithKeys } from '../../../../test/access/app-with-keys.ts'
import { startOtherServer } from '../../../../test/app.ts'
import { inCommand } from '../../../../test/in-command.ts'
import { createClient } from '../../../client/client.ts'
import { hourMs } from '../../core/time-units.ts'
import { startWithEditor } from '../editing/editing.fixtures.ts'
import { apply, boats, csv, opening } from '../import/by-request/import-program.fixtures.ts'
import { recordNewestBackup } from './newest-backup.ts'

const today = Date.parse('2030-05-01T09:00:00Z')

test('an import that is published at once and one that is a draft are counted alike, but for what attendees see', async () => {
  await using t = await startWithEditor()
  const program = async () => (await t.editor.readOverview({})).overview.program
  await apply(t.editor, csv(opening))
  expect(await program()).toMatchObject({ events: 1, published: 1, new: 0, rooms: 1, tracks: 1, speakers: 1 })
  await apply(t.editor, csv(opening.replace('Hall', ''), boats), { draft: true })
  expect(await program()).toMatchObject({
    ...{ events: 2, published: 1, new: 1, changed: 1, without_room: 1 },
    ...{ rooms: 2, tracks: 2, speakers: 2 },
  })
})

test('a room of which only the address is known has no name', async () => {
  await using t = await startWithEditor()
  await t.editor.setRooms({ revision: 0, rooms: [{ name: 'Hall 1' }, { name: 'Hall 2' }] })
  // As of events of an older summit.
  await t.ctx.database.transaction((tx) =>
    tx.updateTable('room').set({ name: '', address: 'Pier 1' }).where('name', '=', 'Hall 2').execute(),
  )
  expect((await t.editor.readOverview({})).overview.program).toMatchObject({ rooms: 2, rooms_without_name: 1 })
})

test('it says what was set of the conference', async () => {
  await using t = await startWithEditor()
  await t.editor.updateConference({
    ...{ revision: 0, title: 'Summit', time_zone: 'Europe/Berlin' },
    ...{ first_day: '2030-05-02', last_day: '2030-05-04' },
  })
  expect((await t.editor.readOverview({})).overview.conference).toEqual({
    ...{ title: 'Summit', first_day: '2030-05-02', last_day: '2030-05-04', has_days: true },
    ...{ time_zone: 'Europe/Berlin', has_time_zone: true },
  })
})

test.each([
  [
    { publicUrl: undefined, host: '127.0.0.1' },
    { public_url: null, is_encrypted: false, is_local: true },
  ],
  [
    { publicUrl: undefined, host: '0.0.0.0' },
    { public_url: null, is_encrypted: false, is_local: false },
  ],
  [{ publicUrl: 'http://localhost:3000' }, { is_encrypted: false, is_local: true }],
  [{ publicUrl: 'http://10.0.0.7' }, { is_encrypted: false, is_local: false }],
])('with %o, the access is %o', async (settings, access) => {
  await using t = await startAppWithKeys('members')
  await using other = await startOtherServer(t, settings)
  const { overview } = await createClient(other.url, { headers: t.owner.headers }).readOverview({})
  expect(overview.access).toMatchObject(access)
})

test('a backup is late two hours after the next was due, and not known while it is dated in the future', async () => {
  await using t = await startAppWithKeys('members')
  const to = { kind: 'folder', dir: '/var/backups/summit' } as const
  await using server = await startOtherServer(t, { backup: { to, everyMs: 6 * hourMs, key: undefined } })
  const { readOverview } = createClient(server.url, { headers: t.owner.headers })
  const backup = async () => (await readOverview({})).overview.backup
  expect(await backup()).toEqual({ has_location: true, every_minutes: 360, newest: null, is_late: null })
  const made = { createdAt: today + hourMs, durationMs: 1_500, bytes: 4_096 }
  await inCommand(t, ({ db }) => recordNewestBackup(db, made))
  expect(await backup()).toMatchObject({ newest: null, is_late: null })
  t.advance(hourMs)
  expect(await backup()).toMatchObject({
    newest: { made_at: '2030-05-01 10:00:00', verified_at: '2030-05-01 10:00:01', bytes: 4_096 },
    is_late: false,
  })
  t.advance(8 * hourMs)
  expect(await backup()).toMatchObject({ is_late: false })
  t.advance(1)
  expect(await backup()).toMatchObject({ newest: { bytes: 4_096 }, is_late: true })
})
