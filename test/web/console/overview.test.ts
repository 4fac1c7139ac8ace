import { expect, test } from 'vitest'
import type { Role } from '../../../src/contract/access.ts'
import { hourMs } from '../../../src/server/core/time-units.ts'
import { recordNewestBackup } from '../../../src/server/domains/overview/newest-backup.ts'
import { startAppWithKeys } from '../../access/app-with-keys.ts'
import { signInAsParticipant } from '../../access/sessions.ts'
import { startOfTest, startTestApp } from '../../app.ts'
import { addConference, readPage } from '../read-page.ts'
import { type Organizer, signInToConsole } from './organizer.ts'

// What is left to do before the conference, as organizers see it.

interface Seen {
  words: string
  todo: string
  done: string
  /** The paths in the main part, without what may follow. */
  links: string[]
}

async function look({ open }: Organizer): Promise<Seen> {
  const { status, text, words } = await open('/console')
  expect(status).toBe(200)
  const [todo = '', done = ''] = words.split('What is left to do')[1]?.split('What is done') ?? []
  const [, main = ''] = text.split('<main')
  const links = [...main.matchAll(/href="(\/[^"]*)"/g)].map(([, path]) => path ?? '')
  return { words, todo, done, links: links.slice(0, links.indexOf('/speakers')) }
}

test('an empty summit begins with what it is called, an import and a publication', async () => {
  await using t = await startAppWithKeys('members')
  const eva = await signInToConsole(t)
  const empty = await look(eva)
  expect(empty.words).toMatch(/^Overview Three steps to a program that attendees see Say what .* Import .* Publish\./)
  expect(empty.words).not.toContain('Participants')
  expect(empty.todo).toContain('To do The conference has no name. Name it')
  expect(empty.todo).toContain('To do It is not set when the conference is. Set the days')
  expect(empty.todo).toContain(
    'To do No time zone is set. Times are those of UTC, as the server is set. Choose the time zone',
  )
  expect(empty.todo).toContain('To do There are no sessions yet. Import')
  expect(empty.todo).toContain('To do Nothing is backed up.')
  expect(empty.links.slice(0, 2)).toEqual(['/console/import', '/console/sessions/new'])

  await eva.submit('/console/settings', 'Save', {
    ...{ title: 'Harbour Days', first_day: '2030-05-14', last_day: '2030-05-16', time_zone: 'Europe/Oslo' },
  })
  const named = await look(eva)
  expect(named.done).toContain('✓ Done The conference is called Harbour Days.')
  expect(named.done).toContain('✓ Done It takes place on 14 – 16 May 2030.')
  expect(named.done).toContain('✓ Done All times are those of Europe/Oslo.')
  expect(named.links.join()).not.toContain('/console/settings')
})

test('what is left to do of the program becomes done as it is mended, and each leads to where that is', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const eva = await signInToConsole(t)
  const { client } = eva
  const { speaker } = await client.createSpeaker({ name: 'Ana Cruz' })
  await t.ctx.database.transaction((tx) =>
    tx.updateTable('speaker').set({ photo: 'https://elsewhere.example/ana.jpg' }).execute(),
  )
  const id = Number((await client.createEvent({ title: 'Boats', speaker_ids: [Number(speaker.id)] })).event.id)
  const first = await look(eva)
  expect(first.words).toMatch(/^Overview Publish 1 session Sessions 1 not published Speakers 1 Rooms 0 Participants 0 /)
  expect(first.todo).toContain('To do It is not set when the conference is.')
  expect(first.todo).toContain('To do There are no rooms yet. Rooms')
  expect(first.todo).toContain('To do 1 session has no time. Sessions without a time')
  expect(first.todo).toContain('To do 1 session has no room. Sessions without a room')
  expect(first.todo).toContain('Warning The picture of 1 speaker is a link to another site.')
  expect(first.todo).toContain('To do Attendees see no sessions: nothing has been published. Publish')
  expect(first.links).toEqual([
    ...['/console/publish', '/console/settings#field-first_day', '/console/rooms'],
    ...['/console/sessions?state=timeless', '/console/sessions?state=roomless', '/console/speakers?show=elsewhere'],
    '/console/publish',
  ])

  const { rooms } = await client.setRooms({ revision: 0, rooms: [{ name: 'Hall 1' }] })
  const place = { room_id: Number(rooms.list[0]?.id), starts_at: '2030-05-14 09:00', ends_at: '2030-05-14 10:00' }
  const revisionOf = async () => (await client.getDraftEvent({ id })).event.revision
  await client.updateEvent({ id, revision: await revisionOf(), ...place })
  await client.publish({})
  await client.createEvent({ title: 'Knots', ...place })
  const clashing = await look(eva)
  expect(clashing.words).toContain('Publish 1 session See it as attendees do Sessions 2 1 published, 1 not')
  expect(clashing.todo).toContain(
    'Warning 1 pair of sessions shares a room or a speaker at the same time. Show the clashes',
  )
  expect(clashing.links).toContain('/console/sessions?state=clash')
  expect(clashing.todo).toContain('To do Attendees do not see everything yet: 1 new session. Publish')
  expect(clashing.done).toContain('It takes place on 14 May 2030, the days of its sessions.')
  expect(clashing.done).toContain('The room has a name. ✓ Done Every session has a room and a time.')

  await client.updateEvent({ id, revision: await revisionOf(), is_cancelled: true })
  expect((await look(eva)).words).toContain('Publish 2 changes')
  await client.publish({})
  const published = await look(eva)
  expect(published.words).toMatch(/^Overview See it as attendees do Sessions 2 all published /)
  expect(published.done).toContain('No two sessions share a room or a speaker at the same time.')
  expect(published.done).toContain('Attendees see all 2 sessions.')

  t.advance(Date.parse('2030-05-14T08:00Z') - startOfTest)
  expect((await look(await signInToConsole(t))).words).toContain('See what is on now')
})

test('it says whether there is a verified backup, and what to do about it', async () => {
  await using t = await startAppWithKeys('members', { BACKUP_TO: '/tmp/summit-backups' })
  const eva = await signInToConsole(t)
  const record = (createdAt: number) =>
    t.ctx.database.transaction((tx) => recordNewestBackup(tx, { createdAt, durationMs: 5_000, bytes: 3_400_000 }))
  expect((await look(eva)).todo).toContain('Not known No backup is known to be good yet')
  await record(startOfTest)
  expect((await look(eva)).done).toContain('✓ Done Verified backup of 1 May 2030, 09:00, 3 MB.')
  t.advance(27 * hourMs)
  // Her session has ended meanwhile.
  expect((await look(await signInToConsole(t))).todo).toContain(
    'Warning Verified backup of 1 May 2030, 09:00, 3 MB. The next one is late: whoever runs the server',
  )
})

test('it says who may read and write, and whether mail is needed', async () => {
  await using local = await startTestApp()
  const atHome = await look(await signInToConsole(local))
  expect(atHome.todo).toContain('To do Only the computer of the server opens these pages.')
  expect(atHome.done).toContain('Not needed Mail: participants do not sign in')

  await using anyone = await startTestApp({ PUBLIC_URL: 'https://summit.example' })
  expect((await look(await signInToConsole(anyone))).todo).toContain(
    'Warning Anyone who opens the address can write as anyone.',
  )

  const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'summit@summit.example' }
  await using members = await startAppWithKeys('members', mail)
  const { done } = await look(await signInToConsole(members))
  expect(done).toContain('✓ Done Participants sign in with codes by mail')
  expect(done).toContain('✓ Done Only participants and organizers read and write, with encryption.')
})

test('every organizer sees it, with links only to what the role may mend; nobody else does', async () => {
  await using t = await startAppWithKeys('members')
  const { client: editor } = await t.issueKey({ roles: ['editor'] })
  await editor.createEvent({ title: 'Boats' })
  for (const role of ['reader', 'moderator', 'desk'] as const satisfies Role[]) {
    const seen = await look(await signInToConsole(t, `${role}@summit.example`, [role]))
    expect(seen.todo, role).toContain('To do Attendees see no sessions: nothing has been published. To do')
    expect(seen.links, role).toEqual(['/'])
    expect(seen.words, role).not.toContain('Other organizers')
  }
  const seen = await look(await signInToConsole(t, 'tom@summit.example', ['editor']))
  expect(seen.links).toContain('/console/settings#field-first_day')
  const owner = await look(await signInToConsole(t))
  expect(owner.words).toContain('Other organizers They come in with a link')
  expect(owner.words).toContain('organizer invite mo@summit.example --role editor')
  expect((await readPage(t, '/console', (await signInAsParticipant(t, t.ana.participant)).headers)).status).toBe(403)
  const visitor = await readPage(t, '/console')
  expect([visitor.status, visitor.location]).toEqual([303, '/sign-in?next=%2Fconsole'])
})
