import { expect, test, vi } from 'vitest'
import { startTestApp } from '../../app.ts'
import { runSummitInProcess } from '../../command.ts'
import { addConference, type ReadPage, readPage } from '../read-page.ts'
import { signInToConsole } from './organizer.ts'
import { csv, plan, rows } from './program-files.ts'

// The first plan of a server starts a process.
vi.setConfig({ testTimeout: 60_000 })

test('every act of an editor in the console stands in the log, with her and her session', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const { client: owner } = await signInToConsole(t, 'olga@summit.example', ['owner'])
  const { headers: readers } = await signInToConsole(t, 'rita@summit.example', ['reader'])
  const { submit, client, email } = await signInToConsole(t, 'eva@summit.example', ['editor'])
  const eva = (await owner.listOrganizers({})).organizers.find((organizer) => organizer.email === email)
  const [session] = (await client.listCredentials({})).credentials
  const list = async () => (await owner.listChanges({ offset: 0, limit: 1_000 })).changes
  const known = new Set((await list()).map(({ id }) => id))
  const file = csv(rows.opening)

  const acts: readonly [act: (page: ReadPage) => Promise<ReadPage>, done: string, kinds: readonly string[]][] = [
    [() => submit('/console/sessions/new', 'Create session', { title: 'Boats' }), 'Created', ['event.drafted']],
    [() => submit('/console/sessions/1', 'Save', { starts_at: '2030-05-02T09:00' }), 'Saved', ['event.drafted']],
    [() => submit('/console/publish', 'Publish', { note: 'Welcome' }), 'Published.', ['program.published']],
    [
      () => submit('/console/sessions/1/move', 'Move and publish', { time: '10:00' }),
      'Saved and published.',
      ['event.drafted', 'program.published'],
    ],
    [(page) => submit(page, 'Undo'), 'Undone.', ['event.updated']],
    [() => submit('/console/settings', 'Save', { title: 'Harbour days' }), 'Saved', ['conference.updated']],
    [() => submit('/console/rooms', 'Save', { 'name-new1': 'Pier' }), 'Saved', ['room.created']],
    [
      async () => submit(await submit('/console/import', plan, { file }), 'Import', { file }),
      'The file is imported.',
      ['event.drafted', 'speaker.created', 'room.created'],
    ],
    [() => submit('/console/speakers/1/erase', 'Erase Ana Cruz for good'), 'erased', ['speaker.erased']],
  ]
  let page = await readPage(t, '/')
  for (const [act, done, kinds] of acts) {
    page = await act(page)
    expect(page.words).toContain(done)
    const made = (await list()).filter(({ id }) => !known.has(id))
    expect(made.map(({ kind }) => kind).toSorted(), done).toEqual(kinds.toSorted())
    // All of an act is of one request, hers.
    const [first] = made
    for (const change of made) {
      expect(change, done).toMatchObject({ organizer_id: eva?.id, credential_id: session?.id, participant_id: '0' })
      expect(change.request_id, done).toMatch(/^[0-9a-f-]{36}$/)
      expect(change.request_id, done).toBe(first?.request_id)
      known.add(change.id)
    }
  }

  // Of what visitors and readers send, nothing is done, and nothing stands in the log.
  const all = await list()
  for (const headers of [{}, readers])
    for (const path of ['settings', 'publish', 'sessions/1', 'sessions/1/move', 'rooms']) {
      const body = new URLSearchParams({ title: 'Mine', revision: '1' })
      const init = { method: 'POST', redirect: 'manual', headers: { accept: 'text/html', ...headers }, body } as const
      expect([401, 403]).toContain((await fetch(`${t.url}/console/${path}`, init)).status)
    }
  expect(await list()).toEqual(all)

  const { out } = await runSummitInProcess(['audit', 'list', '--organizer', String(eva?.id)], t.settings)
  const listed = out.split('\n').flatMap((line) => /^ +(\d+) /.exec(line)?.[1] ?? [])
  expect(listed).toEqual(all.filter(({ organizer_id }) => organizer_id === eva?.id).map(({ id }) => id))
  expect(listed.length).toBeGreaterThan(acts.length)
})
