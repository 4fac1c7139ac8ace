import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { type TestApp, testAppIn, testPlace } from '../../test/app.ts'
import { summit, summitHere } from '../../test/command.ts'
import { fakeS3, refusal, refusingS3 } from '../../test/fake-s3.ts'
import { keptS3 } from '../../test/kept-s3.ts'

test('a move from S3 to a folder prints the setting to unset', async () => {
  await using s3 = await fakeS3((_, response) => response.end('<ListBucketResult></ListBucketResult>'))
  await using place = await testPlace()
  await (await testAppIn(place))[Symbol.asyncDispose]()
  const to = join(place.dataDir, 'new', 'place')
  const { code, out } = await summitHere(['move', '--to', to], { ...place.settings, BLOBS_URL: s3.url })
  expect(code).toBe(0)
  const unset = ['DATABASE_URL', 'BLOBS_URL'].filter((name) => name === 'BLOBS_URL' || name in place.settings)
  const lines = [`DATA_DIR=${to}`, ...unset.map((name) => `without ${name}`)].map((line) => `  ${line}\n`)
  expect(out).toContain(`From now on, start Summit with\n${lines.join('')}\n`)
})

test('after a failed move no server starts on the destination, and the move can be repeated', async () => {
  await using denied = await refusingS3()
  await using place = await testPlace()
  {
    await using t = await testAppIn(place)
    await t.client.createTopic({ name: 'Before', created_by: 1 })
  }
  const to = join(place.dataDir, 'new')
  const there = { ...place, dataDir: to, settings: { DATA_DIR: to } }
  const { code, err } = await summitHere(['move', '--to', to, '--blobs', denied.url], place.settings)
  expect([code, err]).toEqual([1, 'S3 rejected access to the bucket summit: AccessDenied (HTTP 403)\n'])
  await expect(testAppIn(there)).rejects.toThrow('has not finished. Run the same move again')

  expect(await summitHere(['move', '--to', to], place.settings)).toMatchObject({ code: 0, err: '' })
  await using t = await testAppIn(there)
  expect((await t.client.listTopics({ offset: 0, limit: 1 })).NewsFeed).toHaveLength(1)
})

test('repeating a finished move prints the settings to start with and changes nothing', async () => {
  await using place = await testPlace()
  {
    await using t = await testAppIn(place)
    await t.client.createTopic({ name: 'Before', created_by: 1 })
  }
  const to = join(place.dataDir, 'new')
  const move = () => summitHere(['move', '--to', to], place.settings)
  const first = await move()
  expect(first.code).toBe(0)
  const settings = (out: string) => out.slice(out.indexOf('From now on, start Summit with'))
  expect(settings(first.out)).toContain(`  DATA_DIR=${to}\n`)

  const titles = async (t: TestApp) =>
    (await t.client.listTopics({ offset: 0, limit: 9 })).NewsFeed.map(({ content }) => content.header)
  const repeated = `This summit has already been moved to ${to} (DATA_DIR), and nothing has been written here since.`
  expect(await move()).toEqual({ code: 0, err: '', out: `${repeated} ${settings(first.out)}` })
  {
    await using there = await testAppIn({ ...place, dataDir: to, settings: { DATA_DIR: to } })
    await there.client.createTopic({ name: 'After', created_by: 1 })
    expect(await move()).toEqual({ code: 0, err: '', out: `${repeated} ${settings(first.out)}` })
    expect(await titles(there)).toEqual(['After', 'Before'])
  }
  // The old copy is neither served nor changed until the operator says so.
  const moved = new RegExp(`^This summit was moved to ${to}, and what is here is an old copy\\. `)
  await expect(testAppIn(place)).rejects.toThrow(moved)
  const { err: refusal, about } = await summitHere(['export', 'topics'], place.settings)
  expect(refusal).toMatch(moved)
  expect(about).toContain(`1 topic; moved to ${to}\n`)
  expect(await summitHere(['move', '--revoke'], place.settings)).toMatchObject({ code: 0, err: '' })
  {
    await using t = await testAppIn(place)
    await t.client.createTopic({ name: 'Astray', created_by: 1 })
  }
  const { code, err } = await move()
  expect([code, err]).toEqual([
    1,
    'The target of the move already has a summit. Specify a new folder or an empty database.\n',
  ])
  await using there = await testAppIn({ ...place, dataDir: to, settings: { DATA_DIR: to } })
  expect(await titles(there)).toEqual(['After', 'Before'])
})

const withFile = (name: string) => ({ name, created_by: 1, uploaded_files: [{ name: 'a.txt', data: 'SGVsbG8=' }] })

test('a move of files can be repeated after uploads to the new store, but not if it has unknown files', async () => {
  await using place = await testPlace()
  await using s3 = await keptS3()
  {
    await using t = await testAppIn(place)
    await t.client.createTopic(withFile('Before'))
  }
  const move = () => summitHere(['move', '--blobs', s3.url], place.settings)
  expect(await move()).toMatchObject({ code: 0, err: '' })
  {
    await using t = await testAppIn({ ...place, settings: { ...place.settings, BLOBS_URL: s3.url } })
    await t.client.createTopic(withFile('After'))
  }
  expect(s3.objects.size).toBe(2)
  expect(await move()).toMatchObject({ code: 0, err: '' })
  s3.objects.set('files/stranger', Buffer.from('bytes'))
  expect(await move()).toMatchObject({
    code: 1,
    err:
      'The target of the move has files that the source does not have and no row refers to (1), for example ' +
      'files/stranger. If they do not belong to another summit, remove them, then run the same command again; it ' +
      'continues where it stopped.\n',
  })
  expect(s3.objects.size).toBe(3)
})

test('repeating a finished move of rows without its files fails until the files have moved, too', async () => {
  await using s3 = await keptS3()
  await using first = await testPlace()
  const place = { ...first, settings: { ...first.settings, BLOBS_URL: s3.url } }
  {
    await using t = await testAppIn(place)
    await t.client.createTopic(withFile('Before'))
  }
  const to = join(place.dataDir, 'new')
  const rows = ['move', '--to', to, '--blobs', s3.url]
  expect(await summitHere(rows, place.settings)).toMatchObject({ code: 0, err: '' })

  const again = (settings: Record<string, string>) => summitHere(['move', '--to', to], settings)
  expect(await again(place.settings)).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(
      /^The rows of this summit were moved already, but files that they refer to were not \(1\), for example files\/.*\. Run /,
    ),
  })
  expect(await summitHere(rows, place.settings)).toMatchObject({ code: 0, err: '' })

  expect(await again({ DATA_DIR: to, BLOBS_URL: s3.url })).toMatchObject({ code: 0, err: '' })
  expect(await again(place.settings)).toMatchObject({ code: 0, err: '' })
  await using there = await testAppIn({ ...place, dataDir: to, settings: { DATA_DIR: to } })
  const { NewsFeed } = await there.client.listTopics({ offset: 0, limit: 1 })
  const link = NewsFeed[0]?.content.uploaded_files?.[0]?.link
  expect(await (await fetch(new URL(new URL(link ?? '').pathname, there.url))).text()).toBe('Hello')
})

test('a move to a read-only S3 bucket fails with one line that has the bucket and the S3 error', async () => {
  const empty = '<ListBucketResult></ListBucketResult>'
  await using readOnly = await fakeS3((request, response) => {
    request.resume()
    if (request.method === 'PUT') response.writeHead(403).end(refusal)
    else response.writeHead(request.method === 'HEAD' ? 404 : 200).end(empty)
  })
  await using place = await testPlace()
  {
    await using t = await testAppIn(place)
    await t.client.createTopic({ name: 'Slides', created_by: 1 }, { files: [new File(['slides'], 'slides.txt')] })
  }
  const { code, err } = await summitHere(['move', '--blobs', readOnly.url], place.settings)
  expect([code, err]).toEqual([1, 'S3 rejected access to the bucket summit: AccessDenied (HTTP 403)\n'])
})

test.each([
  'elsewhere',
  'postgres//summit',
  'postgres:summit',
  'mysql://db.example/summit',
  'postgres://db.example/summit?sslmod=verify-full',
])('a move to %s, which may be a mistyped URL, is rejected', async (to) => {
  await using place = await testPlace()
  const err = expect.stringMatching(
    /^--to must be a folder that begins with \/, \.\/ or \.\.\/; otherwise it must be a URL such as postgres:.*\n$/,
  )
  expect(await summitHere(['move', '--to', to], place.settings)).toEqual({ code: 1, out: '', err })
  expect(existsSync(to)).toBe(false)
})

test('a move reports the data left at the old location, and fails if the destination is the current one', async () => {
  await using place = await testPlace()
  const { dataDir, settings } = place
  const old = { ...settings, DATA_DIR: relative('.', dataDir) }
  // A database on a server may move to the folder of its files.
  if (!settings.DATABASE_URL)
    expect((await summitHere(['move', '--to', dataDir], old)).err).toBe('The summit is already there.\n')

  const { code, out } = await summitHere(['move', '--to', join(dataDir, 'new')], old)
  expect(code).toBe(0)
  const unset = settings.DATABASE_URL ? '  without DATABASE_URL\n' : ''
  expect(out).toContain(`From now on, start Summit with\n  DATA_DIR=${join(dataDir, 'new')}\n${unset}\n`)
  const lines = out.trimEnd().split('\n').slice(-2)
  expect(lines[0]).toMatch(/^The data in .+ was left in place and marked as moved: a server or command with the old/)
  expect(lines[1]).toMatch(/^Change the settings now wherever Summit is started/)
})

test('a move to a folder that cannot be created fails with one line', async () => {
  await using place = await testPlace()
  const { code, out, err } = await summit(['move', '--to', '/proc/summit/data'], place.settings)
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(/^DATA_DIR cannot be used as a folder: .*\n$/)
})
