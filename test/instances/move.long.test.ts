import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/server/db/open.ts'
import { type TestPlace, testAppIn } from '../app.ts'
import { summit } from '../command.ts'
import { newDatabase, type TestDatabase } from '../databases.ts'
import { until } from '../faults/until.ts'
import * as make from '../make.ts'
import { radosgwMissing, startRadosgw } from '../radosgw.ts'

/** A folder for a summit that is in no database yet. */
async function folder(): Promise<TestPlace> {
  const dir = await mkdtemp(join(tmpdir(), 'summit-test-'))
  const dataDir = join(dir, 'not', 'there')
  return {
    dataDir,
    settings: { DATA_DIR: dataDir },
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }),
  }
}

async function database(): Promise<TestDatabase> {
  const found = await newDatabase()
  if (!found) throw new Error('these tests need a server')
  return found
}

async function reader({ url }: TestDatabase): Promise<Database & AsyncDisposable> {
  const opened = await openDatabase({ kind: 'server', url }, () => {})
  return { ...opened, [Symbol.asyncDispose]: () => opened.close() }
}

/** As it is written where the host is a socket: all in the query. */
function withPassword({ url }: TestDatabase): string {
  const { hostname, port, username, pathname } = new URL(url)
  return `postgres://${pathname}?host=${hostname}&port=${port}&user=${username}&password=geheim`
}

const onServer = ({ dataDir }: TestPlace, { url }: TestDatabase): TestPlace => ({
  dataDir,
  settings: { DATA_DIR: dataDir, DATABASE_URL: url },
  [Symbol.asyncDispose]: async () => {},
})

/** A summit in which something of everything has happened. @returns the number of topics */
async function live(place: TestPlace, topics: number): Promise<number> {
  await using t = await testAppIn(place)
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
  return topics
}

/** All that a client can read, with the bytes of every file; and how the service signs. */
async function seen(place: TestPlace) {
  await using t = await testAppIn(place)
  const page = { offset: 0, limit: 1_000 }
  const { NewsFeed } = await t.client.listTopics(page)
  const links = NewsFeed.flatMap(({ content }) => content.uploaded_files.map(({ link }) => link))
  const files = await Promise.all(links.map(async (link) => (await fetch(link)).text()))
  const lists = [NewsFeed, await t.client.listEvents(page), await t.client.listFeedback(page)]
  const text = JSON.stringify([lists, await t.client.listParticipants(page), files])
  return { text: text.replaceAll(t.url, ''), key: t.ctx.signatureKey.export().toString('hex') }
}

test('a summit moves to a server and back to a folder, and looks the same everywhere', async () => {
  await using home = await folder()
  await using away = await folder()
  const server = await database()
  await live(home, 7)
  const before = await seen(home)

  const there = await summit(['move', '--to', withPassword(server)], home.settings)
  expect(there).toMatchObject({ code: 0, err: '' })
  expect(there.out).toMatch(/^ {2}DATABASE_URL=postgres:\/\/\/.*&password=…$/m)
  expect(there.out).not.toContain('geheim')
  expect(there.out).toMatch(/^topic +7 rows +[0-9a-f]{16} +identical$/m)
  expect(there.out).toContain('Move complete: everything was copied and verified.')
  expect(await seen(onServer(home, server))).toEqual(before)
  await expect(testAppIn(home)).rejects.toThrow('This summit was moved to postgres:///')

  // What docs/operate.md says to put away is needed no more.
  for (const name of ['summit.db', 'summit.db-wal', 'summit.db-shm', 'signature.key'])
    await rm(join(home.dataDir, name), { force: true })
  expect(await seen(onServer(home, server))).toEqual(before)

  const back = await summit(['move', '--to', away.dataDir], onServer(home, server).settings)
  expect(back).toMatchObject({ code: 0, err: '' })
  expect(back.out).toContain(`start Summit with\n  DATA_DIR=${away.dataDir}\n  without DATABASE_URL\n\n`)
  expect(back.out).toMatch(/^files +7 files +byte by byte +identical$/m)
  expect(await seen(away)).toEqual(before)

  // It goes on with ids that nothing had before, also not what was deleted.
  expect(await summit(['move', '--revoke'], onServer(home, server).settings)).toMatchObject({ code: 0, err: '' })
  await using t = await testAppIn(onServer(home, server))
  const { NewsFeed } = await t.client.createTopic({ name: 'Next', created_by: 1 })
  expect(make.only(NewsFeed).id).toBe('8')
})

if (radosgwMissing) console.warn(`skipped: ${radosgwMissing}`)

test.skipIf(radosgwMissing !== undefined)(
  'files move to an S3 and back',
  async () => {
    await using home = await folder()
    await using away = await folder()
    await using s3 = await startRadosgw()
    await s3.createBucket('summit')
    const url = `s3://${s3.accessKeyId}:${s3.secretAccessKey}@summit?endpoint=${encodeURIComponent(s3.url)}`
    await live(home, 5)
    const before = await seen(home)

    const there = await summit(['move', '--blobs', url], home.settings)
    expect(there).toMatchObject({ code: 0, err: '' })
    expect(there.out).not.toContain(s3.secretAccessKey)
    const inS3 = { ...home, settings: { ...home.settings, BLOBS_URL: url } }
    await rm(join(home.dataDir, 'blobs', 'kept'), { recursive: true })
    expect(await seen(inS3)).toEqual(before)

    const back = await summit(['move', '--to', away.dataDir], inS3.settings)
    expect(back).toMatchObject({ code: 0, err: '' })
    expect(back.out).toContain(`start Summit with\n  DATA_DIR=${away.dataDir}\n  without BLOBS_URL\n\n`)
    expect(await seen(away)).toEqual(before)
  },
  120_000,
)

test('a move that is cut off is no summit, and goes on where it was', async () => {
  await using home = await folder()
  const server = await database()
  await live(home, 20)
  const before = await seen(home)
  await using target = await reader(server)
  const hasBegun = async () => (await target.read.selectFrom('secret').selectAll().execute()).length > 1
  const cut = await summit(['move', '--to', server.url], home.settings, async (child) => {
    await until('it has begun', hasBegun, 20_000)
    child.kill('SIGKILL')
  })
  expect(cut.code).toBe(null)
  await expect(testAppIn(onServer(home, server))).rejects.toThrow('has not finished. Run the same move again')

  expect(await summit(['move', '--to', server.url], home.settings)).toMatchObject({ code: 0, err: '' })
  expect(await seen(onServer(home, server))).toEqual(before)
})

test('a summit that is written to while its files are copied has not moved, and does when nobody writes', async () => {
  await using place = await folder()
  await using away = await folder()
  const home = onServer(place, await database())
  await live(home, 60)
  const move = ['move', '--to', away.dataDir]
  {
    await using forgotten = await testAppIn(home)
    const { code, err } = await summit(move, home.settings, async (child) => {
      await until('files are copied', () => existsSync(join(away.dataDir, 'blobs', 'kept', 'files')), 20_000)
      child.kill('SIGSTOP')
      await forgotten.client.createTopic({ name: 'Meanwhile', created_by: 1 })
      child.kill('SIGCONT')
    })
    expect([code, err]).toEqual([
      1,
      'The summit was written to while it was copied, or its database server restarted. ' +
        'Stop every server, then run the same command again; it continues where it stopped.\n',
    ])
  }
  await expect(testAppIn(away)).rejects.toThrow('has not finished. Run the same move again')

  const before = await seen(home)
  expect(await summit(move, home.settings)).toMatchObject({ code: 0, err: '' })
  expect(await seen(away)).toEqual(before)
})

test('a file that is only where the summit is to move is told about, and left to the operator', async () => {
  await using home = await folder()
  await using away = await folder()
  await live(home, 1)
  const before = await seen(home)
  const files = join(away.dataDir, 'blobs', 'kept', 'files')
  await mkdir(files, { recursive: true })
  // As of an upload that failed at the place before, after a move that was cut off had copied its bytes.
  await writeFile(join(files, 'gone'), 'bytes')
  const move = ['move', '--to', away.dataDir]
  const { code, err } = await summit(move, home.settings)
  expect([code, err]).toEqual([
    1,
    'The target of the move has files that the source does not have and no row refers to (1), for example files/gone. ' +
      'If they do not belong to another summit, remove them, then run the same command again; it continues where it ' +
      'stopped.\n',
  ])
  await rm(join(files, 'gone'))
  expect(await summit(move, home.settings)).toMatchObject({ code: 0, err: '' })
  expect(await seen(away)).toEqual(before)
})

test('a summit does not move onto another, nor from under a server, nor to where it is', async () => {
  await using home = await folder()
  await using other = await folder()
  await live(home, 1)
  await live(other, 2)
  const before = await seen(other)
  const taken = await summit(['move', '--to', other.dataDir], home.settings)
  expect(taken).toMatchObject({ code: 1, out: '' })
  expect(taken.err).toBe('The target of the move already has a summit. Specify a new folder or an empty database.\n')
  expect(await seen(other)).toEqual(before)

  expect((await summit(['move', '--to', home.dataDir], home.settings)).err).toContain('The summit is already there')
  expect((await summit(['move'], home.settings)).err).toContain('Name a destination')
  await using _serving = await testAppIn(home)
  expect((await summit(['move', '--to', `${other.dataDir}/new`], home.settings)).err).toContain('is already serving')
})
