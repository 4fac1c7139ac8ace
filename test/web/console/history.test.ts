import { expect, test } from 'vitest'
import { addParticipant } from '../../../src/server/domains/participants/participants.ts'
import { recordRevision } from '../../../src/server/domains/revisions/record-revision.ts'
import { startTestApp, type TestApp } from '../../app.ts'
import { inCommand } from '../../in-command.ts'
import { addConference } from '../read-page.ts'
import { type Organizer, signInToConsole } from './organizer.ts'

async function startEdited() {
  const t = await startTestApp()
  await addConference(t)
  const eva = await signInToConsole(t)
  const id = Number((await eva.client.createEvent({ title: 'Small boats', starts_at: '2030-05-02 09:00' })).event.id)
  await eva.client.publish({ note: 'Welcome' })
  return { ...t, eva, id, [Symbol.asyncDispose]: () => t[Symbol.asyncDispose]() }
}

async function retitle({ client }: Organizer, id: number, title: string) {
  const { revision } = (await client.getDraftEvent({ id })).event
  return client.updateEvent({ id, revision, title })
}

/** Participants as a command imports them. */
const importPeople = (t: Pick<TestApp, 'ctx'>) =>
  inCommand(t, (scope) => {
    const values = { first_name: 'Ana', last_name: 'Cruz', email: 'ana@summit.example' }
    const write = () => addParticipant(scope, values)
    const revision = { kind: 'import', command: 'import participants', file: 'people.csv' } as const
    return recordRevision(scope, revision, [{ kind: 'participant', id: undefined, write }])
  })

test('the history says in words what was changed, by whom and when, and what was undone', async () => {
  await using t = await startEdited()
  await retitle(t.eva, t.id, 'Large boats')
  await t.eva.client.undoRevision({ id: 3 })
  await importPeople(t)
  const { words, text } = await t.eva.open('/console/history')
  const by = '1 May, 11:00, eva@summit.example, No.'
  expect(words).toContain(
    'Imported participants from people.csv: 1 record 1 May, 11:00, the operator, No. 5 ' +
      'Only a command can undo it, as it removes people for good: npm run summit -- import undo 5 ' +
      `Undid: Changed a session: “Small boats” ${by} 4 Redo ` +
      `Changed a session Undone ${by} 3 ` +
      `Published: “Small boats” Welcome ${by} 2 Undo ` +
      `Created a session: “Small boats” ${by} 1 Undo`,
  )
  expect(text).toContain('href="/console/history/2" aria-label="Undo “Published: “Small boats””"')
})

test('an organizer sees what an undo would do, undoes it, and redoes it', async () => {
  await using t = await startEdited()
  const plan = await t.eva.open('/console/history/2')
  expect(plan.words).toContain('Becomes as it was 1 session 1 “Small boats” not published Undo Cancel')
  const undone = await t.eva.submit(plan, 'Undo')
  expect(undone.path).toBe('/console/history?done=3')
  expect((await t.eva.client.getSchedule({})).schedule.events).toEqual([])
  const redo = await t.eva.open('/console/history/3')
  expect(redo.words).toContain('Undid: Published: “Small boats” 1 May')
  const redone = await t.eva.submit(redo, 'Redo')
  expect(redone.words).toContain('Done again. Undo')
  expect(redone.words).toMatch(/Redid: Published: “Small boats” [^R]* 4 Undo/)
  expect((await t.eva.open('/console/history/4')).words).toMatch(/Undo .*Redid: Published/)
  expect((await t.eva.client.getSchedule({})).schedule.events).toHaveLength(1)
})

test('an undo from a notice that is blocked shows by what, and undoes the others', async () => {
  await using t = await startEdited()
  const other = Number((await t.eva.client.createEvent({ title: 'Knots' })).event.id)
  await retitle(t.eva, t.id, 'Large boats')
  const published = await t.eva.submit('/console/publish', 'Publish')
  await retitle(t.eva, other, 'Bends')
  const blocked = await t.eva.submit(published, 'Undo')
  expect([blocked.status, blocked.words]).toEqual([
    409,
    expect.stringContaining('Nothing has been undone, since some of it was changed again.'),
  ])
  expect(blocked.words).toContain('session 2 “Knots” changed by revision 6; undo that one first Becomes as it was 1')
  expect(blocked.text).toContain('<a href="/console/history/6">6</a>')
  const undone = await t.eva.submit(blocked, 'Undo the others, keep these')
  expect(undone.path).toBe('/console/publish?done=7')
  const { events } = (await t.eva.client.getSchedule({})).schedule
  expect(events.map(({ title }) => title)).toEqual(['Small boats', 'Knots'])
})

test('of what was undone by somebody else meanwhile, the page says so', async () => {
  await using t = await startEdited()
  const plan = await t.eva.open('/console/history/2')
  await t.eva.client.undoRevision({ id: 2 })
  const late = await t.eva.submit(plan, 'Undo')
  expect([late.status, late.words]).toEqual([404, expect.stringContaining('It has been undone already')])
  expect((await t.eva.open('/console/history/2')).status).toBe(404)
  expect((await t.eva.open('/console/history/x')).status).toBe(404)
})

test('there are 50 on a page', async () => {
  await using t = await startEdited()
  for (let n = 1; n <= 50; n++) await retitle(t.eva, t.id, `Boat ${n}`)
  const first = await t.eva.open('/console/history')
  expect(first.text.match(/class="entry"/g)).toHaveLength(50)
  expect((await t.eva.open('/console/history?from=50')).words).toMatch(
    /Published: “Boat 50” .* Created a session: “Boat 50” .* Newer/,
  )
})

test('only editors see it, and nobody what an undo would do with participants', async () => {
  await using t = await startEdited()
  await importPeople(t)
  expect((await t.eva.open('/console/history/3')).status).toBe(403)
  expect((await t.eva.submit('/console/history/2', 'Undo')).words).toContain('Undone.')
  const mia = await signInToConsole(t, 'mia@summit.example', ['reader'])
  for (const path of ['/console/history', '/console/history/2']) expect((await mia.open(path)).status).toBe(403)
})
