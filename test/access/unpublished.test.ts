import { expect, test } from 'vitest'
import type { AccessMode } from '../../src/contract/access.ts'
import { type OperationName, operations, operationsIn } from '../../src/contract/index.ts'
import { type Operation, pathOf } from '../../src/contract/operation.ts'
import { programFiles } from '../../src/contract/program-export.ts'
import type { RoomId, SpeakerId, TrackId } from '../../src/server/core/ids.ts'
import { addRecord } from '../../src/server/domains/program/records.ts'
import { startOtherServer } from '../app.ts'
import { runSummitInProcess } from '../command.ts'
import { examples, schemasOf } from '../contract/examples.ts'
import { inCommand } from '../in-command.ts'
import * as make from '../make.ts'
import { type AppWithKeys, startAppWithKeys } from './app-with-keys.ts'

// Nobody but editors sees what is not published: by no operation, parameter, file or export, as nobody or as somebody.

const word = 'Xylograph'

/** What an editor has written about a session that is not published, and about one that is. */
async function startWithSecrets() {
  const t = await startAppWithKeys('members')
  const { client: editor } = await t.issueKey({ roles: ['editor'] })
  const ids = await inCommand(t, async (scope) => ({
    room: (await addRecord(scope, 'room', {
      name: `${word} Hall`,
      address: `${word} Street`,
      building: null,
    })) as RoomId,
    track: (await addRecord(scope, 'track', { name: `${word}s` })) as TrackId,
    speaker: (await addRecord(scope, 'speaker', {
      ...{ name: `Ana ${word}`, position: `${word}er`, company: `${word} Ltd` },
      ...{ biography: `<p>${word}</p>`, links: JSON.stringify([{ title: word, url: `https://${word}.example` }]) },
    })) as SpeakerId,
  }))
  const members = {
    ...{ title: `${word} Night`, subtitle: word, description: `<p>${word}</p>`, details: `<p>${word}</p>` },
    ...{
      type: word,
      language: word,
      tags: [word],
      license: word,
      starts_at: '2099-09-09 09:00',
      ends_at: '2099-09-09 10:00',
    },
    ...{ room_id: ids.room, track_id: ids.track, speaker_ids: [ids.speaker] },
    links: [{ rel: '', title: word, url: `https://${word.toLowerCase()}.example/` }],
  }
  const published = await make.event(t, {
    title: 'Opening',
    date_from: '2030-05-02 09:00:00',
    program_date: '2030-05-02',
  })
  await editor.updateEvent({ id: published, revision: 0, ...members })
  return { ...t, editor, ids, members, published }
}

/** A response that may be wrong: what was asked for, and all of its bytes. */
interface Seen {
  request: string
  text: string
}

/** Everything that a sender can read about the program, with every parameter. */
async function readAll(
  url: string,
  mode: AccessMode,
  headers: Record<string, string>,
  ids: Readonly<Record<string, number>>,
): Promise<Seen[]> {
  const reads = operationsIn(mode).filter(
    ([, { method, access }]) => method === 'GET' && ('readers' in access || 'own' in access),
  )
  const paths = reads.flatMap(([name, operation]) => pathsOf(name, operation, ids))
  return Promise.all(
    [...new Set(paths)].map(async (path) => {
      const response = await fetch(url + path, { headers })
      return { request: path, text: `${[...response.headers]}${await response.text()}` }
    }),
  )
}

function pathsOf(name: OperationName, operation: Operation, ids: Readonly<Record<string, number>>): string[] {
  const valuesOf = (schema: Record<string, unknown>, member: string): unknown[] => {
    const kind = schema['x-record'] as string | undefined
    if (kind !== undefined) return [ids[kind] ?? 1]
    if (member === 'limit') return [1_000]
    if (name === 'exportProgram' && member === 'file') return [...programFiles]
    if (schema.type === 'boolean') return [true]
    if (member === 'q') return [word, word.slice(0, 4)]
    if (member === 'events') return [String(ids.event)]
    return [(examples[name].params as Record<string, unknown> | undefined)?.[member] ?? 0]
  }
  const params = Object.entries(schemasOf(operation.params)).reduce<Record<string, unknown>[]>(
    (all, [member, schema]) =>
      all.flatMap((some) => valuesOf(schema, member).map((value) => ({ ...some, [member]: value }))),
    [{}],
  )
  const queries = Object.entries(schemasOf(operation.query)).flatMap(([member, schema]) =>
    valuesOf(schema, member).map((value) => ({ [member]: value })),
  )
  return params.flatMap((given) => [{}, ...queries].map((query) => pathOf(operation, { ...given, ...query })))
}

const withWord = (seen: readonly Seen[]) =>
  seen.filter(({ text }) => text.toLowerCase().includes(word.toLowerCase())).map(({ request }) => request)

/** What attendees, visitors and clients of the specification read, by the mode of access. */
async function readAsEveryone(t: AppWithKeys, ids: Readonly<Record<string, number>>): Promise<Seen[]> {
  await using open = await startOtherServer(t, { access: 'open' })
  await using visitors = await startOtherServer(t, { access: 'public' })
  const personal = await t.issuePersonalUrl(t.ben.participant)
  return [
    ...(await readAll(open.url, 'open', {}, ids)),
    ...(await readAll(visitors.url, 'public', {}, ids)),
    ...(await readAll(t.url, 'members', t.ana.headers, ids)),
    ...(await readAll(t.url + personal.prefix, 'members', {}, ids)),
  ]
}

/** The lists that operators export, but for rooms, tracks and speakers, which are not drafted. */
async function exportLists(t: AppWithKeys): Promise<string> {
  let exported = ''
  for (const list of ['events', 'feedback', 'activities'])
    exported += (await runSummitInProcess(['export', list, '--format', 'json'], t.settings)).out
  return exported
}

test('nobody but editors sees a session that is not published, or a draft', async () => {
  await using t = await startWithSecrets()
  const { editor, members } = t
  const event = Number((await editor.createEvent(members)).event.id)
  await t.ana.client.addFeedback({ participant_id: t.ana.participant, program_id: event, comments: 'Fine' })
  const ids = { ...t.ids, event, participant: t.ana.participant }
  const readAsAna = (of: number) => readAll(t.url, 'members', t.ana.headers, { ...ids, event: of })
  expect(withWord(await readAsEveryone(t, ids))).toEqual([])
  expect(withWord(await readAsAna(t.published))).toEqual([])
  expect((await exportLists(t)).toLowerCase()).not.toContain(word.toLowerCase())
  // The summit does not last until the day of a draft.
  expect(JSON.stringify(await t.ana.client.getSchedule({}))).not.toContain('2099')

  // Editors see both, and everyone does once they are published: so these requests would have shown them.
  expect(JSON.stringify(await editor.getDraft({ texts: true })).split(`${word} Night`)).toHaveLength(3)
  await editor.publish({})
  expect(withWord(await readAsAna(event)).length).toBeGreaterThan(10)
  expect(await exportLists(t)).toContain(word)
  expect(operations.getDraft.access).toEqual({ organizers: 'editor' })
})

test('a draft makes no response stale', async () => {
  await using t = await startWithSecrets()
  const tagsOf = async () =>
    (await readAll(t.url, 'members', t.ana.headers, { ...t.ids, event: t.published, participant: t.ana.participant }))
      .filter(({ request }) => request.startsWith('/api/program/'))
      .map(({ request, text }) => [request, /etag,[^,]+|"data":\{(?!"message").*/i.exec(text)?.[0]])
  const before = await tagsOf()
  await t.editor.createEvent(t.members)
  const { event } = await t.editor.getDraftEvent({ id: t.published })
  await t.editor.updateEvent({ id: t.published, revision: event.revision, title: 'Closing' })
  expect(await tagsOf()).toEqual(before)
  // Failures have neither.
  expect(before.filter(([, tag]) => tag !== undefined).length).toBeGreaterThan(15)
})
