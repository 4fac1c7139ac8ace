import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { testApp } from '../../test/app.ts'
import { temporaryFolder } from '../../test/faults/temporary-folder.ts'
import * as make from '../../test/make.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

const app = `
import { createClient, SummitFailure } from 'summit-client'
import { verify } from 'summit-client/verify'

const client = createClient(process.argv[2] ?? '')
const { NewsFeed } = await client.getTopic({ topic_id: 1 })
const header: string | undefined = NewsFeed[0]?.content.header
// @ts-expect-error The types require the parameters of an operation.
const failure: unknown = await client.getTopic({}).catch((error: unknown) => error)
console.log(header, failure instanceof SummitFailure, typeof verify)
`

test('an app outside the repository uses the packed client with its types', async () => {
  await using t = await testApp()
  await make.topic(t, { name: 'Lunch' })
  await using folder = await temporaryFolder()
  const modules = join(folder.dir, 'node_modules')
  const packed = join(modules, 'summit-client')
  const { stdout: packOutput } = await run(process.execPath, [join(root, 'scripts/pack-client.ts'), packed])
  expect(packOutput).toBe(`Built summit-client ${packageJson.version} in ${packed}\n`)
  // The dependencies that npm would install.
  for (const name of ['typebox', '@types']) await symlink(join(root, 'node_modules', name), join(modules, name))
  await writeFile(join(folder.dir, 'package.json'), '{"type":"module"}')
  await mkdir(join(folder.dir, 'src'))
  await writeFile(join(folder.dir, 'src', 'app.ts'), app)

  const options = [
    '--strict',
    '--skipLibCheck',
    '--target',
    'es2024',
    '--module',
    'nodenext',
    '--types',
    'node',
    '--outDir',
    '.',
  ]
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  await run(process.execPath, [compiler, ...options, 'src/app.ts'], { cwd: folder.dir })
  const { stdout } = await run(process.execPath, ['app.js', t.url], { cwd: folder.dir })
  expect(stdout).toBe('Lunch true function\n')
}, 60_000)
