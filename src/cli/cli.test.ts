import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, mkdtempDisposable, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { testApp, testAppIn, testPlace } from '../../test/app.ts'
import { summit, summitHere } from '../../test/command.ts'
import { fakeS3, refusal, refusingS3 } from '../../test/fake-s3.ts'
import { isLong } from '../../test/long.ts'
import * as make from '../../test/make.ts'

test('an operator sees every setting with its source, and no secret', async () => {
  const { code, out } = await summitHere(['config'], { PORT: '4000', SIGNATURE_KEY: 'ab'.repeat(32) })
  expect(code).toBe(0)
  expect(out).toMatch(/^PORT +4000 +environment$/m)
  expect(out).toMatch(/^HOST +127\.0\.0\.1 +default$/m)
  expect(out).toMatch(/^SIGNATURE_KEY +\(hidden\) +environment$/m)
})

test('an invalid setting is reported in one line, with exit code 1', async () => {
  const line = 'PORT must be a whole number from 0 to 65535. It is "eighty".\n'
  expect(await summit(['sweep'], { PORT: 'eighty' })).toEqual({ code: 1, out: '', err: line })
})

test('an operator sees all settings, with the invalid ones marked', async () => {
  const { code, out, err } = await summitHere(['config'], {
    PORT: 'eighty',
    LOG_LEVEL: 'loud',
    PUBLIC_URL: 'https://me:geheim@summit.example',
  })
  expect(code).toBe(1)
  expect(out).toMatch(/^PORT +eighty +environment {2}INVALID$/m)
  expect(out).toMatch(/^PUBLIC_URL +\(hidden\) +environment {2}INVALID$/m)
  expect(out).toMatch(/^DATA_DIR +\.\/data +default$/m)
  expect(err.split('\n')).toEqual([
    'PORT must be a whole number from 0 to 65535. It is "eighty".',
    'PUBLIC_URL must be an http or https URL without user, query, fragment or spaces.',
    'LOG_LEVEL must be silent, error, warn, info or debug. It is "loud".',
    '',
  ])
})

test('an operator sees the version, and in the help which summit commands use', async () => {
  expect(await summit(['--version'])).toEqual({ code: 0, out: `${packageJson.version}\n`, err: '' })
  // The help of a command includes the text of its parents.
  const others = isLong ? [['--help'], ['import', '--help'], ['export', '--help']] : []
  for (const args of [['import', 'program', '--help'], ...others])
    expect((await summit(args)).out).toContain('DATA_DIR')
})

test('a denied S3 bucket is reported in one line, with exit code 1', async () => {
  await using denied = await refusingS3()
  await using place = await testPlace()
  const settings = { ...place.settings, BLOBS_URL: denied.url }
  const line = 'S3 rejected access to the bucket summit: AccessDenied (HTTP 403)\n'
  expect(await summitHere(['sweep'], settings)).toEqual({ code: 1, out: '', err: line })
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

test('a sweep of an S3 bucket without delete permission fails with one line that has the S3 error', async () => {
  const orphans = ['one', 'two'].map(
    (name) => `<Contents><Key>files/${name}</Key><LastModified>2020-01-01T00:00:00Z</LastModified></Contents>`,
  )
  await using undeletable = await fakeS3((request, response) => {
    if (request.method === 'DELETE') response.writeHead(403).end(refusal)
    else response.end(`<ListBucketResult>${orphans.join('')}</ListBucketResult>`)
  })
  await using place = await testPlace()
  const { code, err } = await summitHere(['sweep', '--apply'], { ...place.settings, BLOBS_URL: undeletable.url })
  const line = '2 blobs could not be removed. S3 rejected access to the bucket summit: AccessDenied (HTTP 403)\n'
  expect([code, err]).toEqual([1, line])
})

test('an organizer sees the plan of an import first, then applies it while the server runs', async () => {
  await using t = await testApp()
  const file = join(t.dataDir, 'program.csv')
  await writeFile(file, 'title,start,end,room\nKeynote,2030-05-02 09:00,2030-05-02 10:00,Hall\nNo start,,,Hall\n')
  const { settings } = t

  const plan = await summitHere(['import', 'program', file], settings)
  expect(plan.out).toMatch(/new +1/)
  expect(plan.out).toContain('Keynote (Hall, 2030-05-02 09:00)')
  expect(plan.out).toMatch(/line 3: .+/)
  expect((await t.client.listEvents({ offset: 0, limit: 1 })).events).toEqual([])

  expect((await summit(['import', 'program', file, '--apply'], settings)).code).toBe(0)
  expect((await t.client.listEvents({ offset: 0, limit: 1 })).events[0]?.title).toBe('Keynote')

  await writeFile(file, 'title,start\nAnother conference,2031-01-01 09:00\n')
  expect((await summitHere(['import', 'program', file], settings)).err).toContain('--source NAME')
})

test('a plan shows twenty changes of each kind, or with --all every one', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'summit-test-'))
  const file = join(folder.path, 'many.csv')
  const rows = Array.from({ length: 42 }, (_, n) => `Talk ${n},2030-05-02 09:00,${n}@x.example`)
  await writeFile(file, ['title,start,email', ...rows].join('\n'))
  for (const what of ['program', 'participants']) {
    const planned = async (...options: string[]) => {
      const { out } = await summitHere(['import', what, file, ...options], { DATA_DIR: folder.path })
      return { lines: out.match(/^ {2}new +[T<]/gm)?.length, more: /^.*… and .*$/m.exec(out)?.[0] }
    }
    expect(await planned()).toEqual({ lines: 20, more: '  … and 22 more (--all lists them)' })
    expect(await planned('--all')).toEqual({ lines: 42, more: undefined })
  }
})

test('only an import with --apply creates a summit', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'summit-test-'))
  const file = join(folder.path, 'any.csv')
  await writeFile(file, 'title,start,email\nKeynote,2030-05-02 09:00,a@x.example\n')
  const dataDir = join(folder.path, 'dtaa')
  const settings = { DATA_DIR: relative('.', dataDir) }
  const commands = [['export', 'topics'], ['sweep'], ['import', 'images', folder.path], ['move', '--to', './elsewhere']]
  const line = `No summit found in ${dataDir} (DATA_DIR).\n`
  for (const args of commands)
    expect(await summitHere(args, settings), args.join(' ')).toMatchObject({ code: 1, err: line })
  for (const what of ['program', 'participants']) {
    const { code, out } = await summitHere(['import', what, file], settings)
    expect([code, out]).toEqual([0, expect.stringMatching(/^ {2}new +1$/m)])
    expect(out).toContain(
      `\n\nNothing was changed. No summit found in ${dataDir} (DATA_DIR). Run the same command with --apply to create one and apply this plan.\n`,
    )
  }
  expect(await readdir(folder.path)).toEqual(['any.csv'])

  const created = `No summit found in ${dataDir} (DATA_DIR); creating one.\n`
  expect(await summitHere(['import', 'participants', file, '--apply'], settings)).toMatchObject({
    code: 0,
    err: created,
  })
  expect((await summitHere(['export', 'participants'], settings)).out).toContain('a@x.example')
}, 60_000)

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

test('a move reports what it left at the old location, and fails if the destination is the current one', async () => {
  await using place = await testPlace()
  const { dataDir, settings } = place
  const old = { ...settings, DATA_DIR: relative('.', dataDir) }
  const here = await summitHere(['move', '--to', dataDir], old)
  // A database on a server may move to the folder of its files.
  if (!settings.DATABASE_URL) expect(here.err).toBe('The summit is already there.\n')

  const { code, out } = await summitHere(['move', '--to', join(dataDir, 'new')], old)
  expect(code).toBe(0)
  const unset = settings.DATABASE_URL ? '  without DATABASE_URL\n' : ''
  expect(out).toContain(`From now on, start Summit with\n  DATA_DIR=${join(dataDir, 'new')}\n${unset}\n`)
  const lines = out.trimEnd().split('\n').slice(-2)
  expect(lines[0]).toMatch(/^The data in .+ was left in place\. A server started with the old settings would serve it/)
  expect(lines[1]).toMatch(/^Change the settings now wherever Summit is started/)
})

test('a move to a folder that cannot be created fails with one line', async () => {
  await using place = await testPlace()
  const { code, out, err } = await summit(['move', '--to', '/proc/summit/data'], place.settings)
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(/^DATA_DIR cannot be used as a folder: .*\n$/)
})

test('a command on an empty database on a server fails and creates nothing in it', async ({ skip }) => {
  await using place = await testPlace({ isMigrated: false })
  const { DATABASE_URL: url = '' } = place.settings
  if (!url) skip('the database is in a folder')
  const { hostname, port, pathname } = new URL(url)
  const err = `No summit found in the database ${pathname.slice(1)} at ${hostname}:${port}.\n`
  for (let twice = 0; twice < 2; twice++)
    expect(await summitHere(['export', 'topics'], place.settings)).toEqual({ code: 1, out: '', err })
})

test.each([
  ['postgres://summit:geheim@127.0.0.1:1/conference', 'conference at 127.0.0.1:1'],
  ['postgres:///conference?host=/nowhere&port=5544&user=summit&password=geheim', 'conference at /nowhere:5544'],
  ['postgres://summit:geheim@%2Fnowhere/conference', 'conference at /nowhere'],
  ['postgres://summit:geheim@db.example/conference?sslrootcert=/nowhere/ca.pem', 'conference at db.example'],
])('an unreachable database is named with its address and without its password: %s', async (DATABASE_URL, place) => {
  const { code, err } = await summitHere(['export', 'topics'], { DATABASE_URL })
  expect([code, err]).toEqual([1, expect.stringMatching(/: .*(ECONNREFUSED|ENOENT).*\.\n$/)])
  expect(err).toContain(`Cannot open the database ${place}: `)
  expect(err).not.toContain('geheim')
})

test('importing a file without usable sessions fails with the reason', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'summit-test-'))
  const file = join(dataDir, 'broken.xml')
  await writeFile(file, '<schedule><day></schedule>')
  const { code, out, err } = await summitHere(['import', 'program', file, '--apply'], { DATA_DIR: dataDir })
  expect(code).toBe(1)
  expect(out).toMatch(/line 1: .+/)
  expect(err).toContain('Nothing was imported')
  await rm(dataDir, { recursive: true })
})

test('a program is replaced by one that shares no session with it only with --replace', async () => {
  await using t = await testApp()
  const program = async (title: string) => {
    const file = join(t.dataDir, `${title}.csv`)
    await writeFile(file, `Title,Start\n${title},2030-05-14 10:00\n`)
    return (...options: string[]) => summitHere(['import', 'program', file, ...options], t.settings)
  }
  const titles = async () => (await t.client.listEvents({ offset: 0, limit: 10 })).events.map(({ title }) => title)
  const [first, other] = [await program('Opening'), await program('Elsewhere')]
  const planned = await first('--apply')
  expect(planned).toMatchObject({ code: 0, out: expect.stringMatching(/new +Opening \(2030-05-14 10:00\)/) })

  for (const options of [[], ['--apply']]) {
    const { code, out, err } = await other(...options)
    expect(out).toMatch(/cancelled +Opening \(2030-05-14 10:00\)/)
    expect(out).not.toContain('--apply')
    expect([code, err]).toEqual([1, expect.stringMatching(/^Nothing was changed\. .*--source NAME.* --replace\.\n$/)])
  }
  expect(await titles()).toEqual(['Opening'])

  expect(await other('--apply', '--replace')).toMatchObject({ code: 0 })
  expect(await titles()).toEqual(expect.arrayContaining(['Elsewhere', 'Cancelled: Opening']))
  expect(await first('--apply')).toMatchObject({ code: 0 })
  expect(await titles()).toEqual(expect.arrayContaining(['Opening', 'Cancelled: Elsewhere']))
})

test('a database that cannot be accessed is not reported as missing', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'summit-test-'))
  await symlink('summit.db', join(folder.path, 'summit.db'))
  const { code, err } = await summitHere(['export', 'topics'], { DATA_DIR: folder.path })
  expect([code, err]).toEqual([1, expect.stringMatching(/^ELOOP: .*summit\.db'\n$/)])
})

test.each(['program', 'participants'])(
  'a workbook given as %s is rejected with advice to save it as CSV',
  async (what) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'summit-test-'))
    const file = join(folder.path, 'people.xlsx')
    await writeFile(file, Buffer.from('504b030414000600080000002100ff', 'hex'))
    const err = 'people.xlsx is an Excel workbook or another archive. Save the sheet as CSV first.\n'
    expect(await summitHere(['import', what, file], { DATA_DIR: folder.path })).toEqual({ code: 1, out: '', err })
  },
)

test.each(['program', 'participants'])(
  'a file of %s that cannot be read is reported with its full path',
  async (what) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'summit-test-'))
    const absent = relative('.', join(folder.path, 'absent.csv'))
    const reasons = [
      [absent, `Cannot read ${join(folder.path, 'absent.csv')}: it does not exist.\n`],
      [folder.path, `Cannot read ${folder.path}: it is a folder.\n`],
    ] as const
    for (const [file, err] of reasons)
      expect(await summitHere(['import', what, file], { DATA_DIR: folder.path })).toEqual({ code: 1, out: '', err })
  },
)

test('an organizer attaches images named by event, and sees which were skipped', async () => {
  await using t = await testApp()
  const byId = await make.event(t)
  await make.event(t, { source: 'program', source_key: 'c0ffee-guid' })
  const folder = join(t.dataDir, 'pictures')
  await mkdir(folder)
  const wide = { create: { width: 4000, height: 1000, channels: 3, background: '#336699' } } as const
  await sharp(wide)
    .jpeg()
    .toFile(join(folder, `${byId}.banner.jpg`))
  await sharp(wide).png().toFile(join(folder, 'c0ffee-guid.photo.png'))
  await writeFile(join(folder, `${byId}.photo.png`), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(folder, '999.banner.jpg'), '')

  const { code, out, err } = await summitHere(['import', 'images', folder], t.settings)
  expect([code, err]).toEqual([1, `Some files in ${folder} were not attached.\n`])
  expect(out).toContain('2 images attached, 2 skipped')
  expect(out).toContain('999.banner.jpg: No event has the id or guid 999.')

  const banner = await fetch(`${t.url}/api/program/banner/get/${byId}`)
  expect(banner.headers.get('content-type')).toBe('image/jpeg')
  expect(await sharp(Buffer.from(await banner.arrayBuffer())).metadata()).toMatchObject({ width: 1600, height: 400 })
  expect((await t.client.getEvent({ id: byId })).programs.banner).toMatch(/^program\/1\/banner-[0-9a-f]{64}\.jpg$/)
})

test.each(['nope', 'file', 'empty'])('importing images from a bad folder (%s) fails with one line', async (name) => {
  await using place = await testPlace()
  await mkdir(join(place.dataDir, 'empty'))
  await writeFile(join(place.dataDir, 'file'), '')
  const folder = join(place.dataDir, name)
  const line = {
    nope: `Cannot read ${folder}: it does not exist.\n`,
    file: `Cannot read ${folder}: it is not a folder.\n`,
    empty: `No images found in ${folder}.\n`,
  }[name]
  expect(await summitHere(['import', 'images', folder], place.settings)).toMatchObject({ code: 1, err: line })
})

test('an operator lists and removes unreferenced files, but not recent ones', async () => {
  await using t = await testApp()
  const file = new File(['slides'], 'slides.txt')
  await t.client.createTopic({ name: 'Slides', created_by: 1 }, { files: [file] })
  const put = async (key: string) => (await t.ctx.blobs.stage([Buffer.from(key)], 1_000)).store(key)
  await put('files/00/orphan')
  const stored = join(t.dataDir, 'blobs', 'kept')
  const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000)
  for (const entry of await readdir(stored, { recursive: true }))
    await utimes(join(stored, entry), yesterday, yesterday)
  await put('files/00/fresh')
  const { settings } = t
  const keys = async () => Array.fromAsync(t.ctx.blobs.list(), ({ key }) => key)

  const { out } = await summitHere(['sweep'], settings)
  expect(out).toMatch(/^1 unreferenced files .*\n {2}files\/00\/orphan\n\nNothing was removed/)
  expect(await keys()).toHaveLength(3)

  expect((await summitHere(['sweep', '--apply'], settings)).out).toContain('1 removed')
  expect(await keys()).toHaveLength(2)
  expect(await keys()).not.toContain('files/00/orphan')
})

test('lists are exported as JSON and as CSV, without deleted records', async () => {
  await using t = await testApp()
  await make.participant(t, { first_name: '=HYPERLINK("x")', email: 'ana@x.example' })
  await make.topic(t, { name: 'Kept' })
  await make.topic(t, { name: 'Gone' })
  await t.client.deleteTopic({ topic_id: 2 })
  const { settings } = t

  const topics = JSON.parse((await summit(['export', 'topics', '--format', 'json'], settings)).out)
  expect(topics).toMatchObject([{ id: 1, header: 'Kept', created_at: '2030-05-01 09:00:00' }])

  const out = join(t.dataDir, 'participants.csv')
  await summitHere(['export', 'participants', '--out', out], settings)
  const sheet = await readFile(out, 'utf8')
  expect(sheet).toContain('id,employee_no,first_name')
  // A cell that begins like a formula is escaped.
  expect(sheet).toContain(`"'=HYPERLINK(""x"")"`)
  expect((await summitHere(['export', 'participants', '--out', out], settings)).err).toContain('already exists')
  const inMissingFolder = join(t.dataDir, 'no', 'topics.csv')
  const line = `Cannot write ${inMissingFolder}: its folder does not exist.\n`
  expect(await summitHere(['export', 'topics', '--out', inMissingFolder], settings)).toEqual({
    code: 1,
    out: '',
    err: line,
  })
  expect((await summitHere(['export', 'topics', '--out', ''], settings)).err).toBe('--out needs a file name.\n')

  expect(JSON.parse((await summitHere(['export', 'feedback', '--format', 'json'], settings)).out)).toEqual([])
})
