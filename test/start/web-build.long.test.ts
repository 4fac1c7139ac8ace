import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createDataFolder } from '../faults/create-data-folder.ts'
import { launchServer } from '../faults/server-process.ts'
import { createTemporaryFolder } from '../temporary-folder.ts'
import { waitUntil } from '../wait-until.ts'

const root = join(import.meta.dirname, '../..')

/** A copy of the sources, in which nothing is built. */
async function createCheckout({ isInstalled = true } = {}) {
  const folder = await createTemporaryFolder()
  for (const name of ['src', 'scripts', 'package.json', 'tsconfig.json', 'docs/api.md', 'CHANGELOG.md'])
    await cp(join(root, name), join(folder.path, name), { recursive: true })
  if (isInstalled) await symlink(join(root, 'node_modules'), join(folder.path, 'node_modules'))
  const built = join(folder.path, 'src/web/built')
  await rm(built, { recursive: true, force: true })
  const build = async () => {
    const child = spawn(process.execPath, [join(folder.path, 'scripts/build-web.ts')])
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
    return { code, errors }
  }
  return { path: folder.path, built, build, [Symbol.asyncDispose]: () => folder.remove() }
}

/** A server of a checkout. @returns the status of a page and of the API, and what the log says */
async function request(checkout: string, path: string) {
  await using data = await createDataFolder()
  await using server = launchServer(
    data.dir,
    { LOG_LEVEL: 'warn' },
    { program: [join(checkout, 'src/server/main.ts')] },
  )
  await waitUntil('it serves', () => server.stdout().includes('access'))
  const url = /Summit is running at (\S+)/.exec(server.stdout())?.[1] ?? ''
  const page = await fetch(url + path, { headers: { accept: 'text/html' } })
  const api = await fetch(`${url}/api/newsfeeds/topics/0/1`)
  return { page: [page.status, await page.text()], api: api.status, output: server.stdout() }
}

const done = { code: 0, errors: '' }

test('processes that build the pages at once write every file whole', async () => {
  await using checkout = await createCheckout()
  expect(await Promise.all(Array.from({ length: 4 }, checkout.build))).toEqual([done, done, done, done])
  expect((await readdir(checkout.built)).sort()).toEqual([
    'account.js',
    'attendee.js',
    'console.css',
    'console.js',
    'style.css',
  ])
})

test('a change of a source, and one that is deleted, are built with the next start', async () => {
  await using checkout = await createCheckout()
  const style = () => readFile(join(checkout.built, 'style.css'), 'utf8')
  await checkout.build()
  const first = await style()
  const added = join(checkout.path, 'src/web/style/9-added.css')
  await writeFile(added, '.added { color: red }\n')
  expect(await checkout.build()).toEqual(done)
  expect(await style()).toContain('.added')
  await rm(added)
  await checkout.build()
  expect(await style()).toBe(first)
})

test('pages that cannot be built stay as they were, and the start says why', async () => {
  await using checkout = await createCheckout()
  await checkout.build()
  await appendFile(join(checkout.path, 'src/web/lib/page.ts'), 'const = 1\n')
  const { code, errors } = await checkout.build()
  expect(code).toBe(0)
  expect(errors).toMatch(/^The scripts and styles of the pages were not built: .*page\.ts/s)
  expect((await request(checkout.path, '/program')).page[0]).toBe(200)
})

test('where nothing can be written, the API is served, and a page says that it was not built', async () => {
  await using checkout = await createCheckout()
  // In place of the folder, since root may write everywhere.
  await writeFile(checkout.built, '')
  expect(await checkout.build()).toEqual({
    code: 0,
    errors: expect.stringMatching(/^The scripts and styles of the pages were not built: E\w+: .*\n$/),
  })
  await rm(checkout.built)
  await mkdir(checkout.built)
  const { page, api, output } = await request(checkout.path, '/program')
  expect(page).toEqual([503, expect.stringContaining('The pages of this summit were not built.')])
  expect([api, output]).toEqual([200, expect.stringContaining('the pages were not built')])
})

test('an installation without rolldown says how to install it', async () => {
  await using checkout = await createCheckout({ isInstalled: false })
  expect((await checkout.build()).errors).toBe(
    'The scripts and styles of the pages were not built: rolldown is not installed; run npm ci --include=dev\n',
  )
})
