import { expect, test } from 'vitest'
import { startAppWithKeys } from '../../../../test/access/app-with-keys.ts'
import { chooseSeed, createRandom, type Random } from '../../../../test/faults/random.ts'
import { inCommand } from '../../../../test/in-command.ts'
import type { Client } from '../../../client/client.ts'
import type { ScheduleEvent } from '../../../contract/schedule.ts'
import { Failure } from '../../core/failure.ts'
import type { Db } from '../../storage/db/tables.ts'
import { addRecord } from '../program/records.ts'
import type { EventNote, Note } from '../revisions/release-notes.ts'
import { undoRevision } from '../revisions/undo.ts'

// A program that is edited, published and undone at random: attendees see nothing but publications and what undoes them,
// release notes are the difference that they see, and no sequence ever falls.

const steps = 100

test(`after ${steps} random edits, publications and undos, attendees have seen nothing else`, async () => {
  const seed = chooseSeed()
  const random = createRandom(seed)
  await using t = await startAppWithKeys('members')
  const { client: editor } = await t.issueKey({ roles: ['editor'] })
  const { read } = t.ctx.database
  await inCommand(t, async (scope) => {
    for (const name of ['Hall', 'Garden']) await addRecord(scope, 'room', { name })
    for (const name of ['Ana Cruz', 'Ben Okafor']) await addRecord(scope, 'speaker', { name })
  })
  const undo = (revisionId: number) =>
    inCommand(t, (scope) => undoRevision(scope, { revisionId, command: 'undo', keepChanged: false }))
  const shown = async () =>
    new Map((await t.ana.client.getSchedule({})).schedule.events.map((event) => [event.id, event]))

  for (let step = 1; step <= steps; step++) {
    const context = `step ${step} of FAULT_SEED=${seed}`
    const [before, sequences, last] = [await shown(), await sequencesOf(read), await newestRevision(read)]
    const act = random.pick(acts) as Act
    const isPublic = await act(editor, random, async () => undo((await undoable(read, random)) ?? 0)).catch((error) => {
      if (error instanceof Failure && (error.reason === 'UNDO_BLOCKED' || error.reason === 'REVISION_NOT_FOUND'))
        return false
      throw error
    })
    const after = await shown()
    if (!isPublic) expect(after, context).toEqual(before)
    expect(await notesSince(read, last, after), context).toEqual(differencesOf(before, after))
    const now = await sequencesOf(read)
    for (const [id, sequence] of sequences) {
      // An undo may delete an event that has never been published.
      if (now.has(id)) expect(now.get(id), `${context}: event ${id}`).toBeGreaterThanOrEqual(sequence)
      const hasChanged = JSON.stringify(before.get(String(id))) !== JSON.stringify(after.get(String(id)))
      if (hasChanged && now.has(id)) expect(now.get(id), `${context}: event ${id}`).toBeGreaterThan(sequence)
    }
  }
}, 120_000)

type Act = (editor: Client, random: Random, undo: () => Promise<unknown>) => Promise<boolean>

/** What editors do; each returns whether attendees may see it. */
const acts: Act[] = [
  async (editor, random) => {
    await editor.createEvent({ title: `New ${random.int(1, 99)}`, ...timesOf(random), room_id: random.int(0, 2) })
    return false
  },
  ...Array.from(
    { length: 4 },
    (): Act => async (editor, random) => {
      const { events } = (await editor.getDraft({})).draft
      const event = random.pick(events)
      if (!event) return false
      const { id, revision } = event
      const change = random.pick([
        { title: `Title ${random.int(1, 99)}` },
        timesOf(random),
        { room_id: random.int(0, 2) },
        { speaker_ids: random.chance(0.5) ? [1] : [2, 1] },
        { is_cancelled: random.chance(0.5) },
        { description: `<p>${random.int(1, 99)}</p>` },
      ])
      await editor.updateEvent({ id: Number(id), revision, ...change })
      return false
    },
  ),
  async (editor, random) => {
    const { events } = (await editor.getDraft({})).draft
    const event = random.pick(events)
    if (event) await editor.deleteEvent({ id: Number(event.id), revision: event.revision })
    return false
  },
  async (editor) => {
    await editor.discardDraft({})
    return false
  },
  ...Array.from(
    { length: 2 },
    (): Act => async (editor, random) => {
      const { events } = (await editor.getDraft({})).draft
      const some = events.filter(() => random.chance(0.5)).map(({ id }) => id)
      const isAll = random.chance(0.5)
      const { release } = await editor.planPublication({})
      const chosen = release.events.filter(({ event_id }) => isAll || some.includes(event_id))
      const edited = events.filter(({ is_published, changes }) => !is_published || changes.length > 0)
      const isEmpty = !edited.some(({ id }) => isAll || some.includes(id))
      const { revision_id } = await editor.publish(isAll ? {} : { events: some.map(Number) })
      const { releases } = await editor.listReleases({ offset: 0, limit: 1 })
      const { is_first, events: read } = releases.find(({ id }) => id === revision_id) ?? {
        is_first: false,
        events: [],
      }
      expect({ is_first, events: read }).toEqual({ is_first: release.is_first && !isEmpty, events: chosen })
      return true
    },
  ),
  ...Array.from(
    { length: 3 },
    (): Act => async (_, __, undo) => {
      await undo()
      return true
    },
  ),
]

function timesOf(random: Random) {
  const hour = String(random.int(10, 20))
  return { starts_at: `2030-05-0${random.int(1, 3)} ${hour}:00`, ends_at: `2030-05-03 ${hour}:45` }
}

const newestRevision = async (db: Db): Promise<number> =>
  (await db.selectFrom('revision').select('id').orderBy('id', 'desc').executeTakeFirst())?.id ?? 0

async function undoable(db: Db, random: Random): Promise<number | undefined> {
  const revisions = await db
    .selectFrom('revision')
    .select('id')
    .where('undone_at', '=', 0)
    .orderBy('id', 'desc')
    .execute()
  return random.pick(revisions.slice(0, 5))?.id
}

const sequencesOf = async (db: Db): Promise<Map<number, number>> =>
  new Map((await db.selectFrom('event').select(['id', 'sequence']).execute()).map(({ id, sequence }) => [id, sequence]))

/** @param shown what attendees see by now: one note may say that all of it is new */
async function notesSince(
  db: Db,
  revision: number,
  shown: ReadonlyMap<string, ScheduleEvent>,
): Promise<Map<string, string[]>> {
  const rows = await db.selectFrom('revision').select('notes').where('id', '>', revision).execute()
  const notes = rows.flatMap(({ notes }) => JSON.parse(notes) as Note[])
  if (notes.some((note) => 'program' in note)) return differencesOf(new Map(), shown)
  const ofEvents = notes.filter((note): note is EventNote => 'event' in note)
  return new Map(ofEvents.map(({ event, changes }) => [String(event), changes.toSorted()]))
}

/** What attendees see of the change between two schedules, by event. */
function differencesOf(
  before: ReadonlyMap<string, ScheduleEvent>,
  after: ReadonlyMap<string, ScheduleEvent>,
): Map<string, string[]> {
  const differences = new Map<string, string[]>()
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [from, to] = [before.get(id), after.get(id)]
    const changes = !from ? ['new'] : !to ? ['removed'] : compare(from, to)
    if (changes.length > 0) differences.set(id, changes)
  }
  return new Map([...differences].sort(([a], [b]) => Number(a) - Number(b)))
}

const compare = (from: ScheduleEvent, to: ScheduleEvent): string[] => [
  ...(to.is_cancelled && !from.is_cancelled ? ['cancelled'] : []),
  ...(from.starts_at !== to.starts_at || from.ends_at !== to.ends_at || from.room_id !== to.room_id ? ['moved'] : []),
  ...(from.is_cancelled && !to.is_cancelled ? ['restored'] : []),
  ...(from.title !== to.title ? ['retitled'] : []),
  ...(from.speaker_ids.toSorted().join() !== to.speaker_ids.toSorted().join() ? ['speakers'] : []),
]
