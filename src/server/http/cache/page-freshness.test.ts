import { expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { inCommand } from '../../../../test/in-command.ts'
import * as make from '../../../../test/make.ts'
import { addConference, readPage } from '../../../../test/web/read-page.ts'
import { updateParticipant } from '../../domains/participants/participants.ts'
import { updateEvent } from '../../domains/program/events.ts'

/** Reads a page; where it is read from one state, the change comes after that state. */
async function readWhileChanging(t: TestApp, path: string, change: () => Promise<unknown>): Promise<void> {
  const { database } = t.ctx
  const { snapshot } = database
  let changed: Promise<unknown> | undefined
  const spy = vi.spyOn(database, 'snapshot').mockImplementation((work) =>
    snapshot(async (db) => {
      await db.selectFrom('event').select('id').execute()
      changed ??= change()
      await changed
      return work(db)
    }),
  )
  expect((await readPage(t, path)).status).toBe(200)
  await (changed ?? change())
  spy.mockRestore()
}

test.each(['/program/2030-05-02', '/program?q=boats', '/plan?sessions=1'])(
  'what changes while %s is read is on the pages after it, and found',
  async (path) => {
    await using t = await startTestApp()
    await addConference(t)
    const id = await make.event(t, { title: 'Small boats' })
    await readWhileChanging(t, path, () => inCommand(t, (scope) => updateEvent(scope, id, { title: 'Large boats' })))
    expect((await readPage(t, '/program/2030-05-02')).words).toContain('Large boats')
    expect((await readPage(t, '/program?q=large')).words).toContain('Large boats')
  },
)

test('a name that changes while the directory is searched is not found afterwards', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const participantId = (await make.participant(t)) as Parameters<typeof updateParticipant>[1]['participantId']
  await readWhileChanging(t, '/people?q=ana', () =>
    inCommand(t, (scope) => updateParticipant(scope, { participantId, first_name: 'Bea' })),
  )
  expect((await readPage(t, '/people?q=ana')).words).toContain('Nobody is found')
})

test('pages that many read while the program changes are all sent, and show the change afterwards', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const id = await make.event(t, { title: 'Small boats' })
  const paths = [
    '/',
    '/program',
    '/program?q=boats',
    '/program/2030-05-02',
    '/sessions/1',
    '/plan?sessions=1',
    '/nothing',
  ]
  for (let round = 1; round <= 5; round++) {
    const title = `Boats ${round}`
    const change = inCommand(t, (scope) => updateEvent(scope, id, { title }))
    const pages = [...paths, ...paths, ...paths].map(async (path) => (await readPage(t, path)).status)
    expect([...new Set(await Promise.all(pages))].sort()).toEqual([200, 303, 404])
    await change
    expect((await readPage(t, '/sessions/1')).words).toContain(title)
  }
})
