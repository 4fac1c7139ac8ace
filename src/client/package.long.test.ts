import { execFile } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { buildVersion } from '../../scripts/release/version.ts'
import { startTestApp } from '../../test/app.ts'
import { createDataFolder } from '../../test/faults/create-data-folder.ts'
import * as make from '../../test/make.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

const app = `
import { createClient, SummitFailure } from 'summit-client'
import { verify } from 'summit-client/verify'

declare const process: { argv: string[] }
const client = createClient(process.argv[2] ?? '')
const files = [new File(['Hello'], 'a.txt', { type: 'text/plain' })]
await client.createTopic({ name: 'Slides', created_by: 1 }, { files })
const { NewsFeed } = await client.listTopics({ offset: 0, limit: 2 })
const headers: (string | undefined)[] = NewsFeed.map(({ content }) => content.header)
// @ts-expect-error The types require the parameters of an operation.
const failure: unknown = await client.getTopic({}).catch((error: unknown) => error)
if (!(failure instanceof SummitFailure)) throw failure
const code: 4220 | undefined = failure.code === 4220 ? failure.code : undefined
// @ts-expect-error There is no such reason.
if (failure.data.reason === 'NO_SUCH_REASON') throw failure
console.log(headers.join(), NewsFeed[0]?.content.uploaded_files[0]?.fileType, code, typeof verify)
`

test('the packed client installs into an empty folder without a network, and an app uses it with its types', async () => {
  await using t = await startTestApp()
  await make.topic(t, { name: 'Lunch' })
  await using folder = await createDataFolder()
  const [packed, source] = [join(folder.dir, 'packed'), join(folder.dir, 'app')]
  const { stdout: packOutput } = await run(process.execPath, [join(root, 'scripts/pack-client.ts'), packed])
  const [file = '', ...more] = await readdir(packed)
  expect([file, more]).toEqual([`summit-client-${buildVersion()}.tgz`, []])
  expect(packOutput).toBe(`Packed the client. To install it in an app: npm install ${join(packed, file)}\n`)

  await mkdir(source)
  await writeFile(join(source, 'package.json'), '{"type":"module"}')
  await writeFile(join(source, 'app.ts'), app)
  // An empty cache, so that nothing can come from an earlier installation.
  const offline = ['--offline', '--cache', join(folder.dir, 'cache'), '--no-audit']
  await run('npm', ['install', join(packed, file), ...offline], { cwd: source })

  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['--strict', '--target', 'es2024', '--module', 'nodenext', '--types', '', '--rootDir', '.']
  await run(process.execPath, [compiler, ...options, 'app.ts'], { cwd: source })
  const { stdout } = await run(process.execPath, ['app.js', t.url], { cwd: source })
  expect(stdout).toBe('Slides,Lunch text/plain 4220 function\n')
})
