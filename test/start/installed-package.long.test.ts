import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { versionOf } from '../../scripts/release/version.ts'
import { createClient } from '../../src/client/client.ts'
import { createDataFolder } from '../faults/create-data-folder.ts'
import { launchServer } from '../faults/server-process.ts'
import { startInMemoryS3 } from '../in-memory-s3.ts'
import { waitUntil } from '../wait-until.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** Packs a copy of this checkout, as packing replaces its `package.json` for a moment. @returns the tarball */
async function pack(folder: string): Promise<string> {
  const checkout = join(folder, 'checkout')
  const left = ['node_modules', '.git', 'data', 'dist', 'release', 'src/web/built'].map((name) => join(root, name))
  await cp(root, checkout, { recursive: true, filter: (path) => !left.includes(path) })
  await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'))
  // Older than any installation, or the build would install into the folder of this checkout.
  await utimes(join(checkout, 'package-lock.json'), 0, 0)
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: checkout })
  expect(await readdir(checkout)).not.toContain('package.json.original')
  return join(folder, stdout.trim().split('\n').at(-1) ?? '')
}

test('an operator installs the packed program into an empty folder, serves with it and runs its commands', async () => {
  await using folder = await createDataFolder()
  const tarball = await pack(folder.dir)
  const [app, data] = [join(folder.dir, 'app'), join(folder.dir, 'data')]
  await mkdir(app)
  await run('npm', ['install', '--prefer-offline', '--no-audit', tarball], { cwd: app })
  const installed = await readdir(join(app, 'node_modules'))
  expect(installed).toEqual(expect.arrayContaining(['sharp', 'summit']))
  expect(installed.filter((name) => ['fastify', 'typescript', 'swagger-ui-dist'].includes(name))).toEqual([])

  const binary = join(app, 'node_modules/.bin/summit')
  // Files in S3, as its client is the largest package in the bundle.
  await using s3 = await startInMemoryS3()
  const settings = { BLOBS_URL: s3.url }
  const env = { PATH: process.env.PATH, DATA_DIR: data, ...settings }
  const summit = (...args: string[]) => run(binary, args, { cwd: app, env })

  const { version } = JSON.parse(await readFile(join(app, 'node_modules/summit/package.json'), 'utf8'))
  // The copy of the checkout has no git that would name a commit.
  expect(version).toBe(versionOf(join(folder.dir, 'checkout')))
  expect((await summit('--version')).stdout).toBe(`${version}\n`)

  // Two workers, so that every program of the package runs.
  await using server = launchServer(data, { WORKERS: '2', ...settings }, { node: binary, program: [] })
  await waitUntil('it serves', () => /access/.test(server.stdout()))
  const url = /Summit is running at (http:\S+)/.exec(server.stdout())?.[1] ?? ''
  expect(server.stdout()).toContain(`\n  version ${version}\n`)
  expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ version })
  expect(await (await fetch(`${url}/metrics`)).text()).toContain(`summit_build_info{version="${version}"} 1\n`)
  const client = createClient(url)
  const files = [new File(['Bring a mug.'], 'notes.txt')]
  await client.createTopic({ name: 'Lunch is served', created_by: 1 }, { files })
  const { NewsFeed } = await client.listTopics({ offset: 0, limit: 5 })
  expect(NewsFeed.map(({ content }) => content.header)).toEqual(['Lunch is served'])

  await writeFile(join(app, 'program.csv'), 'Session ID,Title,Date,Start,End\nS1,Opening,2030-05-14,09:00,09:30\n')
  const imported = await summit('import', 'program', 'program.csv', '--apply')
  expect(imported.stdout).toContain('To undo this import: summit import undo 1\n')
  const photos = join(app, 'photos')
  await mkdir(photos)
  const picture = { create: { width: 2000, height: 500, channels: 3, background: '#336699' } } as const
  await sharp(picture).png().toFile(join(photos, 'Opening.banner.png'))
  await summit('import', 'images', photos, '--apply')
  const calendar = join(root, 'src/server/domains/import/formats/fixtures/calendar.ics')
  expect((await summit('import', 'program', calendar, '--source', 'calendar')).stdout).toContain('Nothing was changed.')

  const get = async (path: string) => {
    const response = await fetch(url + path)
    return [response.status, response.headers.get('content-type'), (await response.arrayBuffer()).byteLength > 1000]
  }
  expect(await get('/api/program/banner/get/1')).toEqual([200, 'image/jpeg', true])
  expect(await get('/api/program/photo/get/1')).toEqual([200, 'image/png', true])
  expect(await (await fetch(NewsFeed[0]?.content.uploaded_files[0]?.link ?? '')).text()).toBe('Bring a mug.')
  expect(s3.objects.size).toBe(2)
  expect(await get('/docs/guide')).toEqual([200, 'text/html; charset=utf-8', true])
  expect(await get('/docs/assets/swagger-ui.css')).toEqual([200, 'text/css; charset=utf-8', true])
  expect(await get('/docs/assets/swagger-ui-bundle.js')).toEqual([200, 'application/javascript; charset=utf-8', true])
  const page = await (await fetch(`${url}/sessions/1`)).text()
  const assets = Array.from(page.matchAll(/(?:href|src)="(\/web\/[^"]+)/g), ([, path = '']) => path)
  expect(assets.map((path) => path.split('.')[1])).toEqual(['css', 'js'])
  for (const path of assets) expect(await get(path)).toEqual([200, expect.stringMatching(/css|javascript/), true])
  expect((await fetch(`${url}/parts`)).status).toBe(404)
  expect((await summit('check')).stdout).toContain('Nothing is damaged or missing.')

  expect(server.stderr()).toBe('')
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })

  // As under an older Node, which cannot replace the process of the launcher.
  const older = ['--import', 'data:text/javascript,process.execve=undefined', binary]
  await using child = launchServer(data, settings, { program: older, options: ['serve'] })
  await waitUntil('it serves', () => /access/.test(child.stdout()))
  expect(await child.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  await using refused = launchServer(data, { PORT: 'x' }, { program: older, options: ['serve'] })
  expect(await refused.exited).toEqual({ code: 1, signal: null })
}, 240_000)
