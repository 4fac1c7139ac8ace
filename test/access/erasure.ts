import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { type JsonOperationName, operations } from '../../src/contract/index.ts'
import type { PostPolicy } from '../../src/contract/me.ts'
import { revokeCredential } from '../../src/server/auth/credentials.ts'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { exportRows } from '../../src/server/domains/export/export.ts'
import { exportedListNames } from '../../src/server/domains/export/list-names.ts'
import { blobsOf } from '../../src/server/domains/orphans/owned-blobs.ts'
import { ownTables } from '../../src/server/domains/participants/personal-data.ts'
import { rebuildIfDue } from '../../src/server/domains/privacy/finish-erasures.ts'
import { countOwnRows } from '../../src/server/domains/privacy/own-rows-store.ts'
import { tableNames } from '../../src/server/storage/db/tables.ts'
import type { TestApp } from '../app.ts'
import { runSummitInProcess } from '../command.ts'
import { storePhoto } from '../contract/example-app.ts'
import { examples, operationOf, reads } from '../contract/examples.ts'
import { inCommand } from '../in-command.ts'
import * as make from '../make.ts'
import { createTemporaryFolder } from '../temporary-folder.ts'
import type { AppWithKeys, KeyHolder } from './app-with-keys.ts'
import { CodeBrowser, setLogin, startAppWithMail } from './codes.ts'

// Participants erase themselves. What is theirs contains this word everywhere, and nothing else does.
const word = 'Zyzzyva'

/** As in the address with which they sign in. */
const lowerCaseWord = word.toLowerCase()

const hasWord = (content: string | Buffer): boolean => content.includes(word) || content.includes(lowerCaseWord)

export const file = { name: `${word}.txt`, data: Buffer.from(`${word} in a file`).toString('base64') }

/** A participant with everything that one can have, by a history in which most of it has changed. */
export async function addHistory(t: AppWithKeys, posts: PostPolicy): Promise<KeyHolder> {
  const id = (await make.participant(t, { first_name: word, email: `${word}@old.example` })) as KeyHolder['participant']
  const person = await t.issueKey({ participant: id })
  const { client } = person
  const text = posts === 'delete' ? word : 'A text'
  await make.oneOfEach({ ...t, client }, id, { text, title: 'Opening' })
  await t.owner.client.updateParticipant({ participantId: id, email: `${word}@x.example`, mobile_no: `+41 ${word}` })
  await client.updateParticipant({ participantId: id, photo: await storePhoto(t, id), designation: word.repeat(20) })
  await client.updateSharing({ email: true, mobile_no: true })
  for (let nth = 0; nth < 12; nth++) {
    const own = { name: text, body: text.repeat(40 * nth), created_by: id, uploaded_files: nth === 5 ? [file] : [] }
    const topic = make.only((await client.createTopic(own, { idempotencyKey: `${word}-${nth}` })).NewsFeed)
    const topic_id = Number(topic.id)
    await client.updateTopic({
      topic_id,
      name: `${text}!`,
      body: text.repeat(30 * (12 - nth)),
      updated_by: id,
    } as never)
    await t.ben.client.createComment({ topic_id, comment: `Ben ${nth}`, created_by: t.ben.participant })
    await client.createComment({ topic_id, comment: text.repeat(nth + 1), created_by: id })
    if (nth % 4 === 0) await client.deleteTopic({ topic_id })
    else await client.likeTopic({ topic_id, created_by: id })
  }
  await client.addFeedback({ participant_id: id, created_by: id, comments: word })
  // Of Ben, entered by them.
  await t.owner.client.addFeedback({ participant_id: t.ben.participant, created_by: id, comments: 'Of Ben' })
  await t.ben.client.createTopic({ name: 'Of Ben', created_by: t.ben.participant })
  return person
}

export async function importPeople(t: AppWithKeys, csv: string): Promise<void> {
  await using folder = await createTemporaryFolder()
  const path = join(folder.path, 'people.csv')
  await writeFile(path, csv)
  const result = await runSummitInProcess(['import', 'participants', path, '--apply'], t.settings)
  expect(result).toMatchObject({ code: 0, err: '' })
}

export const storedKeys = ({ ctx }: TestApp) => Array.fromAsync(ctx.blobs.list(), ({ key }) => key)

/** Where the word is: rows, responses and exports. */
export async function placesWithWord(t: AppWithKeys): Promise<string[]> {
  const { read } = t.ctx.database
  const page = { offset: 0, limit: 1_000 }
  const { client } = t.owner
  const texts = new Map<string, unknown>()
  for (const table of tableNames) texts.set(`table ${table}`, await read.selectFrom(table).selectAll().execute())
  for (const name of exportedListNames) texts.set(`list ${name}`, await Array.fromAsync(exportRows(t.ctx, name)))
  for (const name of reads)
    if ('limit' in operationOf(name).params.properties)
      texts.set(name, await client.call(name as JsonOperationName, { ...examples[name].params, ...page } as never))
  return [...texts].filter(([, value]) => hasWord(JSON.stringify(value))).map(([place]) => place)
}

/** The tables with rows about a participant. */
async function tablesAbout({ ctx }: TestApp, participant: ParticipantId): Promise<string[]> {
  const counts = ownTables.map(async (own) => {
    const rows = await countOwnRows(ctx.database.read, own, participant)
    return rows > 0 ? [own.table] : []
  })
  return (await Promise.all(counts)).flat()
}

/**
 * Waits until the database server keeps no deleted row for an open transaction. Those that write count in all databases,
 * of other tests as well, since every snapshot begins with the oldest of them; `vacuum full` takes one, too.
 */
async function waitForOlderTransactions({ ctx }: TestApp): Promise<void> {
  const { read } = ctx.database
  const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(read)
  const limit = sql`age(${rows[0]?.id}::text::xid)`
  const older = sql`
    select datname, pid, backend_type, state, query from pg_stat_activity
    where pid <> pg_backend_pid()
      and (age(backend_xid) > ${limit} or (datname = current_database() and age(backend_xmin) > ${limit}))`
  await expect
    .poll(async () => (await older.execute(read)).rows, { timeout: 120_000, message: 'older transactions' })
    .toEqual([])
}

/** The files of the database server that contain the word, after it has been vacuumed. */
async function relationsWithWord(t: TestApp): Promise<string[]> {
  const { read } = t.ctx.database
  await waitForOlderTransactions(t)
  await sql`vacuum full`.execute(read)
  await sql`checkpoint`.execute(read)
  const { rows } = await sql<{ name: string; bytes: Buffer }>`
    select relation.relname as name, pg_read_binary_file(pg_relation_filepath(relation.oid)) as bytes
    from pg_class as own join pg_class as relation
      on relation.oid in (own.oid, own.reltoastrelid)
      or relation.oid in (select indexrelid from pg_index where indrelid = own.oid)
    where own.relkind = 'r' and own.relnamespace = 'public'::regnamespace`.execute(read)
  return rows.filter(({ bytes }) => hasWord(bytes)).map(({ name }) => name)
}

/** The files below `DATA_DIR` that contain the word, or have it in their name. */
export async function filesWithWord({ dataDir }: Pick<TestApp, 'dataDir'>): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const found = await Promise.all(paths.map(async (path) => hasWord(path) || hasWord(await readFile(path))))
  return paths.filter((_, index) => found[index])
}

/** Asserts that with this `ERASE_POSTS` nothing personal is left of somebody who erases themselves. */
export async function expectErased(posts: PostPolicy): Promise<void> {
  await using t = await startAppWithMail({ ERASE_POSTS: posts })
  const person = await addHistory(t, posts)
  const address = `${lowerCaseWord}@login.example`
  await setLogin(t, person.participant, address)
  await new CodeBrowser(t).ask(address)
  // In the profile only, so that it is nobody's.
  await new CodeBrowser(t).ask(`${lowerCaseWord}@x.example`)
  await importPeople(t, `first_name,last_name,email,designation\n${word},Cruz,${word}@x.example,${word} of imports\n`)
  expect((await placesWithWord(t)).length).toBeGreaterThan(5)
  expect(await storedKeys(t)).toHaveLength(4)
  const about = await tablesAbout(t, person.participant)
  expect(about, 'tables with a row in this history; make.oneOfEach creates one').toEqual(
    ownTables.map(({ table }) => table),
  )
  // Images that an import has replaced are photos.
  for (const [table, { count }] of Object.entries(blobsOf))
    if (about.includes(table) && table !== 'revision_record')
      expect(await count(t.ctx.database.read), `files of ${table} in this history`).toBeGreaterThan(0)

  // Revoked keys have ended before.
  const { id: revoked } = await t.issueKey({ participant: person.participant })
  await inCommand(t, (scope) => revokeCredential(scope, revoked))
  const { erasure } = await person.client.planErasure({})
  const rebuild_minutes = t.settings.DATABASE_URL === undefined ? 10 : null
  expect(erasure).toEqual({
    posts,
    topics: 13,
    comments: 13,
    likes: 10,
    files: 5,
    feedback: 2,
    stars: 1,
    keys: 1,
    rebuild_minutes,
  })
  expect(Object.keys(erasure), 'what is counted in personal-data.ts').toEqual(
    Object.keys(operations.planErasure.data.properties.erasure.properties),
  )
  const confirmed = { participant_id: person.participant }
  expect(await person.client.eraseOwnData(confirmed, { idempotencyKey: word })).toEqual({ erasure })

  expect(await tablesAbout(t, person.participant)).toEqual(['change'])
  expect(await placesWithWord(t)).toEqual([])
  expect(await storedKeys(t)).toEqual([])
  expect(await make.codeOf(person.client.call('getMe', {}))).toBe(4010)
  const { NewsFeed } = await t.ben.client.listTopics({ offset: 0, limit: 100 })
  expect(NewsFeed.map(({ author }) => author.name)).toEqual([
    'Ben Cruz',
    ...(posts === 'keep' ? Array(10).fill(' ') : []),
  ])
  expect(await runSummitInProcess(['check'], t.settings)).toMatchObject({ code: 0, err: '' })
  t.advance(5 * 60_000)
  await rebuildIfDue(t.ctx)
  expect(await filesWithWord(t)).toEqual([])
  if (t.settings.DATABASE_URL !== undefined) expect(await relationsWithWord(t)).toEqual([])
}

/** Makes the ledger unwritable. @returns a function that ends this */
export async function blockLedger({ dataDir }: TestApp): Promise<() => Promise<void>> {
  const path = join(dataDir, 'ledger')
  await rm(path, { force: true })
  await mkdir(path)
  return () => rm(path, { recursive: true })
}
