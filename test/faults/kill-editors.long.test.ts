import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Client, createClient, SummitFailure } from '../../src/client/client.ts'
import { runSummitInProcess } from '../command.ts'
import { countIn, timeoutFor } from './counts.ts'
import { createDataFolder } from './create-data-folder.ts'
import { chooseSeed, createRandom } from './random.ts'
import { startServer } from './server-process.ts'

const kills = countIn(import.meta.filename)

/** The title of the session for its editor, and for attendees; undefined where they do not see it. */
interface Seen {
  draft: string
  published: string | undefined
}

// Kills a server while an editor changes, publishes and undoes, and checks after each restart that what was acknowledged
// is there, that at most the act in progress is besides, and that no draft is public.
test(`of the edits on a server that is killed ${kills} times, each that was acknowledged stays, and no draft is public`, {
  timeout: timeoutFor(kills),
}, async () => {
  const seed = chooseSeed()
  const random = createRandom(seed)
  await using folder = await createDataFolder()
  let server = await startServer(folder.dir)
  const { out } = await runSummitInProcess(['key', 'create', 'editor', '--role', 'editor'], { DATA_DIR: folder.dir })
  const headers = { authorization: `Bearer ${/smt_\S+/.exec(out)?.[0]}` }
  let editor = createClient(server.url, { headers })
  const id = Number((await editor.createEvent({ title: 'Title 0' })).event.id)
  let acknowledged: Seen = { draft: 'Title 0', published: undefined }
  /** What the act in progress makes of it. */
  let expected: Seen | undefined
  let sequence = 0
  let number = 0

  const act = async () => {
    const { draft, published } = acknowledged
    const kind = random.int(0, 3)
    if (kind <= 1) {
      const title = `Title ${++number}`
      const { revision } = (await editor.getDraftEvent({ id })).event
      expected = { draft: title, published }
      await editor.updateEvent({ id, revision, title })
    } else if (kind === 2) {
      expected = { draft, published: draft }
      await editor.publish({})
    } else {
      const [last] = (await editor.listRevisions({ offset: 0, limit: 1 })).revisions
      if (last?.kind !== 'publication') return
      // The draft returns; attendees see what they saw before.
      expected = { draft, published: former }
      await editor.undoRevision({ id: Number(last.id) })
    }
    if (expected.published !== published) former = published
    acknowledged = expected
    expected = undefined
  }
  let former: string | undefined

  try {
    for (let kill = 1; kill <= kills; kill++) {
      const context = `kill ${kill} of FAULT_SEED=${seed}`
      let isKilled = false
      const acts = (async () => {
        while (!isKilled)
          await act().catch((error) => {
            if (error instanceof SummitFailure) throw error
          })
      })()
      await sleep(random.int(20, 400))
      isKilled = true
      expect(await server.kill('SIGKILL'), `${context}: ${server.stderr()}`).toEqual({ code: null, signal: 'SIGKILL' })
      await acts

      server = await startServer(folder.dir)
      editor = createClient(server.url, { headers })
      const seen = await read(editor, server.client, id)
      expect([acknowledged, expected].filter(Boolean), context).toContainEqual(seen)
      if (seen.published !== acknowledged.published) former = acknowledged.published
      acknowledged = seen
      expected = undefined
      const [row] = await folder.read((query) => query('select sequence from event'))
      const now = Number(row?.sequence)
      expect(now, context).toBeGreaterThanOrEqual(sequence)
      sequence = now
    }
    expect(number, 'edits').toBeGreaterThan(kills)
  } finally {
    await server.kill('SIGKILL')
  }
})

async function read(editor: Client, attendee: Client, id: number): Promise<Seen> {
  const { event } = await editor.getDraftEvent({ id })
  const { events } = (await attendee.getSchedule({})).schedule
  return { draft: event.title, published: events.find((shown) => shown.id === String(id))?.title }
}
