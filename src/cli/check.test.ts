import { createHash } from 'node:crypto'
import { open, readdir, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { startInMemoryS3 } from '../../test/in-memory-s3.ts'
import * as make from '../../test/make.ts'
import { createTemporaryFolder } from '../../test/temporary-folder.ts'

/** Adds a topic and a comment with a file each, and an event with a banner. */
async function addContent(t: TestApp): Promise<void> {
  const data = Buffer.from('Hello').toString('base64')
  const { id } = await make.topic(t, { uploaded_files: [{ name: 'a.txt', data }] })
  await make.comment(t, { topic_id: Number(id), uploaded_files: [{ name: 'b.txt', data }] })
  const picture = Buffer.from('picture')
  const key = `program/1/banner-${createHash('sha256').update(picture).digest('hex')}.png`
  const staged = await t.ctx.blobs.stage([picture], 1_000)
  await staged.store(key)
  await t.ctx.blobs.confirm(key)
  await make.event(t, { banner: key })
}

/** The path of a stored file. */
async function fileOf(t: TestApp, id: number): Promise<string> {
  const rows = await t.ctx.database.read.selectFrom('file').select(['id', 'blob_key']).execute()
  return join(t.dataDir, 'blobs', 'kept', rows.find((row) => row.id === id)?.blob_key ?? '')
}

/** Overwrites bytes of a file without changing its size. */
async function overwrite(file: string, at: number, bytes: Buffer): Promise<void> {
  await using handle = await open(file, 'r+')
  await handle.write(bytes, 0, bytes.length, at)
}

const soundReport = /^Checked: \d+ rows, 3 stored files\nNothing is damaged or missing\.\n$/

test('an undamaged summit is reported as such while a server runs', async () => {
  await using t = await startTestApp()
  await addContent(t)
  const { code, out, err } = await runSummitInProcess(['check'], t.settings)
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(soundReport)
})

test('truncated, changed and missing files are listed with their records', async () => {
  await using t = await startTestApp()
  await addContent(t)
  await make.topic(t, { uploaded_files: [{ name: 'c.txt', data: 'SGVsbG8=' }] })
  await t.client.deleteTopic({ topic_id: 2 })
  await truncate(await fileOf(t, 1), 3)
  await overwrite(await fileOf(t, 2), 1, Buffer.from('a'))
  await rm(await fileOf(t, 3))
  const [banner = ''] = (await make.blobs(t)).filter((path) => path.includes('banner-'))
  await overwrite(banner, 0, Buffer.from('P'))

  const { code, out } = await runSummitInProcess(['check'], t.settings)

  expect(code).toBe(1)
  expect(out.split('\n').slice(1, -3).sort()).toEqual([
    expect.stringMatching(/^ {2}banner of event 1 “Opening”: the content of .*banner-\S+ does not match its SHA-256$/),
    expect.stringMatching(/^ {2}file 1 “a.txt” of topic 1: .* has the wrong size: expected 5 bytes, found 3$/),
    expect.stringMatching(/^ {2}file 2 “b.txt” of comment 1: the content of .* does not match its SHA-256$/),
    expect.stringMatching(/^ {2}file 3 “c.txt” of topic 2: the stored file files\/\S+ is missing$/),
  ])
  expect(out).toContain('\nDamaged or missing: 4. ')
})

test('changed and missing files in S3 are listed', async () => {
  await using s3 = await startInMemoryS3()
  await using t = await startTestApp({ BLOBS_URL: s3.url })
  await addContent(t)
  const settings = { ...t.settings, BLOBS_URL: s3.url }
  expect((await runSummitInProcess(['check'], settings)).out).toMatch(soundReport)
  const [first = '', second = ''] = [...s3.objects.keys()].filter((key) => key.startsWith('files/'))
  s3.objects.set(first, Buffer.from('Hallo'))
  s3.objects.delete(second)

  const { code, out } = await runSummitInProcess(['check'], settings)

  expect(code).toBe(1)
  expect(out).toContain(`the content of the stored file ${first} does not match its SHA-256\n`)
  expect(out).toContain(`the stored file ${second} is missing\n`)
})

test('a check of a folder without a summit fails and creates nothing', async () => {
  await using folder = await createTemporaryFolder()
  const { code, out, err } = await runSummitInProcess(['check'], { DATA_DIR: folder.path })
  expect([code, out, err]).toEqual([1, '', `No summit found in ${folder.path} (DATA_DIR).\n`])
  expect(await readdir(folder.path)).toEqual([])
})
