import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/server/storage/db/open.ts'
import { startTestAppOn, type TestStorage } from '../app.ts'
import { runSummit } from '../command.ts'
import { createEmptyDatabase, type TestDatabase } from '../databases.ts'
import { FaultyDisk, faultyDiskMissing } from '../faults/faulty-disk.ts'
import * as make from '../make.ts'
import { radosgwMissing, startRadosgw } from '../radosgw.ts'
import { waitUntil } from '../wait-until.ts'

/** The data folder of a summit that does not exist yet. */
async function newFolder(): Promise<TestStorage> {
  const dir = await mkdtemp(join(tmpdir(), 'summit-test-'))
  const dataDir = join(dir, 'not', 'there')
  return {
    dataDir,
    settings: { DATA_DIR: dataDir },
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }),
  }
}

async function newTestDatabase(): Promise<TestDatabase> {
  const found = await createEmptyDatabase()
  if (!found) throw new Error('these tests need PostgreSQL')
  return found
}

/** Blocks writes to the topics of a database, after creating its tables. */
async function lockTopics({ url }: TestDatabase) {
  await (await openDatabase({ kind: 'server', url }, () => {})).close()
  const client = new pg.Client(url)
  await client.connect()
  await client.query('begin; lock table topic in share mode')
  const waiting = `select 1 from pg_locks where relation = 'topic'::regclass and not granted`
  return {
    isAwaited: async () => (await client.query(waiting)).rows.length > 0,
    [Symbol.asyncDispose]: () => client.end(),
  }
}

/** A URL with all settings in its query, as for a Unix socket. */
function withPassword({ url }: TestDatabase): string {
  const { hostname, port, username, pathname } = new URL(url)
  return `postgres://${pathname}?host=${hostname}&port=${port}&user=${username}&password=geheim`
}

const onServer = ({ dataDir }: TestStorage, { url }: TestDatabase): TestStorage => ({
  dataDir,
  settings: { DATA_DIR: dataDir, DATABASE_URL: url },
  [Symbol.asyncDispose]: async () => {},
})

const isStopped = async (pid = 0): Promise<boolean> => /\) T /.test(await readFile(`/proc/${pid}/stat`, 'utf8'))

/** Creates records of every kind, some of them deleted. */
async function createRecords(storage: TestStorage, topics: number): Promise<void> {
  await using t = await startTestAppOn(storage)
  const participant = await make.participant(t, { first_name: 'Zoë 🦊' })
  await make.event(t, {}, [{ date: '2030-05-02', time: '09:00:00', title: 'Opening' }])
  for (let n = 0; n < topics; n++) {
    const files = [new File([`bytes of ${n}`], `notes ${n}.txt`)]
    const { NewsFeed } = await t.client.createTopic({ name: `Topic ${n}`, created_by: participant }, { files })
    const topic_id = Number(make.only(NewsFeed).id)
    await t.client.createComment({ topic_id, comment: `About ${n}`, created_by: 1 }, { idempotencyKey: `key-${n}` })
    await t.client.likeTopic({ topic_id, created_by: participant })
    if (n % 3 === 0) await t.client.deleteTopic({ topic_id })
  }
  await t.client.addFeedback({ created_by: participant, comments: '"quoted"\n', quality: '5' })
}

/** Everything that a client can read, including files, and the signing key. */
async function readAll(storage: TestStorage) {
  await using t = await startTestAppOn(storage)
  const page = { offset: 0, limit: 1_000 }
  const { NewsFeed } = await t.client.listTopics(page)
  const links = NewsFeed.flatMap(({ content }) => content.uploaded_files.map(({ link }) => link))
  const files = await Promise.all(links.map(async (link) => (await fetch(link)).text()))
  const lists = [NewsFeed, await t.client.listEvents(page), await t.client.listFeedback(page)]
  const text = JSON.stringify([lists, await t.client.listParticipants(page), files])
  return { text: text.replaceAll(t.url, ''), key: t.ctx.signatureKey.toHex() }
}

test('a summit moves to PostgreSQL and back to a folder without any difference to clients', async () => {
  await using home = await newFolder()
  await using away = await newFolder()
  const server = await newTestDatabase()
  await createRecords(home, 7)
  const before = await readAll(home)

  const there = await runSummit(['move', '--to', withPassword(server)], home.settings)
  expect(there).toMatchObject({ code: 0, err: '' })
  expect(there.out).toMatch(/^ {2}DATABASE_URL=postgres:\/\/\/.*&password=…$/m)
  expect(there.out).not.toContain('geheim')
  expect(there.out).toMatch(/^topic +7 rows +[0-9a-f]{16} +identical$/m)
  expect(there.out).toContain('Move complete: everything was copied and verified.')
  expect(await readAll(onServer(home, server))).toEqual(before)
  await expect(startTestAppOn(home)).rejects.toThrow('This summit was moved to postgres:///')

  // These are the files that docs/operate/storage.md says to archive.
  for (const name of ['summit.db', 'summit.db-wal', 'summit.db-shm', 'signature.key'])
    await rm(join(home.dataDir, name), { force: true })
  expect(await readAll(onServer(home, server))).toEqual(before)

  const back = await runSummit(['move', '--to', away.dataDir], onServer(home, server).settings)
  expect(back).toMatchObject({ code: 0, err: '' })
  expect(back.out).toContain(`start Summit with\n  DATA_DIR=${away.dataDir}\n  without DATABASE_URL\n\n`)
  expect(back.out).toMatch(/^files +7 files +byte by byte +identical$/m)
  expect(await readAll(away)).toEqual(before)

  // New ids differ from all earlier ones, including those of deleted records.
  expect(await runSummit(['move', '--revoke'], onServer(home, server).settings)).toMatchObject({ code: 0, err: '' })
  await using t = await startTestAppOn(onServer(home, server))
  const { NewsFeed } = await t.client.createTopic({ name: 'Next', created_by: 1 })
  expect(make.only(NewsFeed).id).toBe('8')
})

if (radosgwMissing) console.warn(`skipped: ${radosgwMissing}`)

test.skipIf(radosgwMissing !== undefined)('files move to an S3 and back', async () => {
  await using home = await newFolder()
  await using away = await newFolder()
  await using s3 = await startRadosgw()
  await s3.createBucket('summit')
  const url = `s3://${s3.accessKeyId}:${s3.secretAccessKey}@summit?endpoint=${encodeURIComponent(s3.url)}`
  await createRecords(home, 5)
  const before = await readAll(home)

  const there = await runSummit(['move', '--blobs', url], home.settings)
  expect(there).toMatchObject({ code: 0, err: '' })
  expect(there.out).not.toContain(s3.secretAccessKey)
  const inS3 = { ...home, settings: { ...home.settings, BLOBS_URL: url } }
  await rm(join(home.dataDir, 'blobs', 'kept'), { recursive: true })
  expect(await readAll(inS3)).toEqual(before)

  const back = await runSummit(['move', '--to', away.dataDir], inS3.settings)
  expect(back).toMatchObject({ code: 0, err: '' })
  expect(back.out).toContain(`start Summit with\n  DATA_DIR=${away.dataDir}\n  without BLOBS_URL\n\n`)
  expect(await readAll(away)).toEqual(before)
})

test('an interrupted move cannot be served, and can be continued', async () => {
  await using home = await newFolder()
  const server = await newTestDatabase()
  await createRecords(home, 20)
  const before = await readAll(home)
  {
    await using topics = await lockTopics(server)
    const { code } = await runSummit(['move', '--to', server.url], home.settings, async (child) => {
      await waitUntil('the move copies topics', topics.isAwaited)
      child.kill('SIGKILL')
    })
    expect(code).toBe(null)
  }
  await expect(startTestAppOn(onServer(home, server))).rejects.toThrow('has not finished. Run the same command again')

  expect(await runSummit(['move', '--to', server.url], home.settings)).toMatchObject({ code: 0, err: '' })
  expect(await readAll(onServer(home, server))).toEqual(before)
})

if (faultyDiskMissing) console.warn(`skipped: ${faultyDiskMissing}`)

test.skipIf(faultyDiskMissing)('a move fails if the summit is written to meanwhile, and can be repeated', async () => {
  using disk = new FaultyDisk()
  await using storage = await newFolder()
  await using away = await newFolder()
  const home = onServer(storage, await newTestDatabase())
  await createRecords(home, 60)
  const move = ['move', '--to', away.dataDir]
  {
    await using forgotten = await startTestAppOn(home)
    disk.stopAtStep(1, '/kept/files')
    const { code, err } = await runSummit(move, { ...home.settings, ...disk.settings }, async (child) => {
      await waitUntil('the move stops before it copies files', () => isStopped(child.pid))
      await forgotten.client.createTopic({ name: 'Meanwhile', created_by: 1 })
      child.kill('SIGCONT')
    })
    expect([code, err]).toEqual([
      1,
      'The summit was written to while it was copied, or its database server restarted. ' +
        'Stop every server, then run the same command again; it continues where it stopped.\n',
    ])
  }
  await expect(startTestAppOn(away)).rejects.toThrow('has not finished. Run the same command again')

  const before = await readAll(home)
  expect(await runSummit(move, home.settings)).toMatchObject({ code: 0, err: '' })
  expect(await readAll(away)).toEqual(before)
})

test('a move reports a file that only the target has, and does not delete it', async () => {
  await using home = await newFolder()
  await using away = await newFolder()
  await createRecords(home, 1)
  const before = await readAll(home)
  const files = join(away.dataDir, 'blobs', 'kept', 'files')
  await mkdir(files, { recursive: true })
  // As after an interrupted move that copied the bytes of an upload which then failed at the source.
  await writeFile(join(files, 'gone'), 'bytes')
  const move = ['move', '--to', away.dataDir]
  const { code, err } = await runSummit(move, home.settings)
  expect([code, err]).toEqual([
    1,
    'The target of the move has files that the source does not have and no row refers to (1), for example files/gone. ' +
      'If they do not belong to another summit, remove them, then run the same command again; it continues where it ' +
      'stopped.\n',
  ])
  await rm(join(files, 'gone'))
  expect(await runSummit(move, home.settings)).toMatchObject({ code: 0, err: '' })
  expect(await readAll(away)).toEqual(before)
})

test('a summit does not move onto another one, while it is served, or to its own folder', async () => {
  await using home = await newFolder()
  await using other = await newFolder()
  await createRecords(home, 1)
  await createRecords(other, 2)
  const before = await readAll(other)
  const taken = await runSummit(['move', '--to', other.dataDir], home.settings)
  expect(taken).toMatchObject({ code: 1, out: '' })
  expect(taken.err).toBe('There is already a summit here. Specify a new folder or an empty database.\n')
  expect(await readAll(other)).toEqual(before)

  expect((await runSummit(['move', '--to', home.dataDir], home.settings)).err).toContain(
    'The summit is already at this destination',
  )
  expect((await runSummit(['move'], home.settings)).err).toContain('Specify a destination')
  await using _serving = await startTestAppOn(home)
  expect((await runSummit(['move', '--to', `${other.dataDir}/new`], home.settings)).err).toContain('is already serving')
})
