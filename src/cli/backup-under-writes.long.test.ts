import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startTestApp, startTestAppOn, type TestApp } from '../../test/app.ts'
import { runSummit, runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'
import { createTemporaryFolder } from '../../test/temporary-folder.ts'
import { waitUntil } from '../../test/wait-until.ts'

// A backup while the summit changes.

/** Leaves the processor to the backup most of the time. */
const pauseMs = 50

/** Writes topics with files, comments and likes until stopped. */
async function writeUntil(t: TestApp, writer: number, signal: AbortSignal): Promise<void> {
  for (let n = 0; !signal.aborted; n++, await sleep(pauseMs)) {
    const name = `Topic ${n} of writer ${writer}`
    const { NewsFeed } = await t.client.createTopic(
      { name, created_by: writer },
      { files: [new File([name], 'a.txt')] },
    )
    const topic_id = Number(make.only(NewsFeed).id)
    await t.client.createComment({ topic_id, comment: name, created_by: writer })
    await t.client.likeTopic({ topic_id, created_by: writer })
    if (n % 4 === 0) await t.client.deleteTopic({ topic_id })
  }
}

/** The number of rows in each table, and of changes by their kind. */
function countRows(dataDir: string) {
  using database = new DatabaseSync(join(dataDir, 'summit.db'))
  const count = (sql: string) => Number(database.prepare(`select count(*) as rows from ${sql}`).get()?.rows)
  const changes = (kind: string) => count(`change where kind = '${kind}'`)
  return {
    rows: {
      topics: count('topic'),
      deleted: count('topic where is_deleted = 1'),
      comments: count('comment'),
      likes: count('topic_like'),
    },
    changes: {
      topics: changes('topic.created'),
      deleted: changes('topic.deleted'),
      comments: changes('comment.created'),
      likes: changes('topic.liked'),
    },
    ids: Number(database.prepare('select max(id) as id from change').get()?.id),
    log: count('change'),
  }
}

// Two backups and two restores, of which the first have the lowest priority.
const timeout = 300_000

test('a backup while clients write has one state of the summit, with all of its files', { timeout }, async () => {
  await using folder = await createTemporaryFolder()
  await using t = await startTestApp()
  const to = join(folder.path, 'backups')
  await make.topic(t)
  for (let nth = 0; nth < 4; nth++) await make.participant(t)
  const stop = new AbortController()
  const writers = Promise.all([1, 2, 3, 4].map((writer) => writeUntil(t, writer, stop.signal)))
  for (let n = 0; n < 2; n++) {
    const before = await t.ctx.database.position()
    // In a process of its own, as for an operator: the server goes on meanwhile.
    expect(await runSummit(['backup', to], t.settings)).toMatchObject({ code: 0, err: '' })
    const after = await t.ctx.database.position()
    expect(after.id).toBeGreaterThan(before.id)

    const dataDir = join(folder.path, `restored-${n}`)
    expect(await runSummitInProcess(['restore', to, '--apply'], { DATA_DIR: dataDir })).toMatchObject({
      code: 0,
      err: '',
    })
    const { rows, changes, ids, log } = countRows(dataDir)
    expect(rows).toEqual(changes)
    // Nothing in between is missing.
    expect(log).toBe(ids)
    expect(ids).toBeGreaterThanOrEqual(before.id)
    expect(ids).toBeLessThan(after.id)
    expect(await runSummitInProcess(['check'], { DATA_DIR: dataDir })).toMatchObject({ code: 0, err: '' })
    const storage = { dataDir, settings: { DATA_DIR: dataDir }, [Symbol.asyncDispose]: async () => {} }
    await using restored = await startTestAppOn(storage)
    const { NewsFeed } = await restored.client.listTopics({ offset: 0, limit: 100 })
    for (const { content } of NewsFeed.slice(0, 20))
      for (const { link } of content.uploaded_files) expect(await (await fetch(link)).text()).toBe(content.header)
  }
  stop.abort()
  await writers
})

test('of two backups at once the second one is refused, and a sweep waits', async () => {
  await using folder = await createTemporaryFolder()
  await using t = await startTestApp()
  const to = join(folder.path, 'backups')
  const first = runSummit(['backup', to], t.settings)
  // Not by trying the lock, which would refuse the backup if the test had it just then.
  const scratch = join(t.dataDir, 'backup')
  const hasBegun = async () =>
    (await readdir(scratch, { recursive: true }).catch(() => [])).some((name) => name.endsWith('work'))
  await waitUntil('the first backup has the lock', hasBegun)
  const second = await runSummitInProcess(['backup', to], t.settings)
  const sweep = await runSummitInProcess(['sweep', '--apply'], t.settings)
  expect(second).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^Another backup of this summit[^\n]*is running\.[^\n]*\n$/),
  })
  expect(await first).toMatchObject({ code: 0, err: '' })
  expect(sweep).toMatchObject({ code: 0, err: expect.stringContaining('Waiting for a backup') })
})
