import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { createDataFolder } from '../../test/faults/create-data-folder.ts'
import * as make from '../../test/make.ts'

// Generators of types that app developers use, from npm. Both need an older TypeScript than ours.

const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')
const run = promisify(execFile)

/** Reads what both kinds of generated code return. */
const show = `
function show(envelopes: Envelopes): void {
  const [envelope] = envelopes
  if (envelope === undefined) throw new Error('no envelope')
  if (envelope.response_code === 1000) {
    const header: string | undefined = envelope.data.NewsFeed[0]?.content.header
    console.log(envelope.system.message, header)
    return
  }
  const code: 4040 | undefined = envelope.response_code === 4040 ? envelope.response_code : undefined
  // @ts-expect-error There is no such code.
  if (envelope.response_code === 4999) return
  // @ts-expect-error There is no such reason.
  if (envelope.data.reason === 'NO_SUCH_REASON') return
  console.log(code, envelope.data.reason satisfies string, envelope.data.fields.length)
}
`

const generators: [name: string, packages: string[], command: (document: string) => string[], app: string][] = [
  [
    'openapi-typescript',
    ['openapi-typescript@7.13.0', 'typescript@5.9.3'],
    (document) => ['openapi-typescript', document, '-o', 'generated.ts'],
    `
import type { operations } from './generated.ts'

declare const process: { argv: string[] }
type Envelopes = operations['getTopic']['responses'][200]['content']['application/json']
${show}
for (const id of [1, 9]) {
  const response = await fetch(process.argv[2] + '/api/newsfeeds/topics/' + id + '/details')
  show((await response.json()) as Envelopes)
}
`,
  ],
  [
    'hey-api',
    ['@hey-api/openapi-ts@0.99.0', 'typescript@5.9.3'],
    (document) => ['openapi-ts', '-i', document],
    `
import { client } from './generated/client.gen.js'
import { type GetTopicResponse, getTopic } from './generated/index.js'

declare const process: { argv: string[] }
type Envelopes = GetTopicResponse
${show}
client.setConfig({ baseUrl: process.argv[2] ?? '' })
for (const topic_id of [1, 9]) {
  const { data } = await getTopic({ path: { topic_id }, throwOnError: true })
  show(data)
}
`,
  ],
]

const compilerOptions = {
  ...{ strict: true, skipLibCheck: true, target: 'es2024', module: 'nodenext', types: [] },
  ...{ rewriteRelativeImportExtensions: true, rootDir: '.', outDir: 'out' },
}

/** Imports with file extensions, so that the generated code runs without a bundler. */
const heyApiConfig = "export default { output: { path: 'generated', module: { extension: '.js' } } }"

const isOffline = (error: unknown): boolean =>
  error instanceof Error &&
  /\b(ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH)\b/.test(error.message)

test.for(generators)('types that %s generates narrow by response_code', async (generator, ctx) => {
  const [, packages, command, app] = generator
  await using t = await startTestApp()
  await make.topic(t, { name: 'Lunch' })
  await using folder = await createDataFolder()
  const inFolder = { cwd: folder.dir }
  await writeFile(join(folder.dir, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder.dir, 'openapi-ts.config.mjs'), heyApiConfig)
  await writeFile(join(folder.dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['app.ts'] }))
  const install = packages.flatMap((name) => ['--package', name])
  try {
    await run('npx', ['--yes', ...install, '--', ...command(`${t.url}/openapi.json`)], inFolder)
  } catch (error) {
    if (isOffline(error)) ctx.skip(`npm cannot fetch ${packages.join(' and ')} without a network`)
    throw error
  }
  await writeFile(join(folder.dir, 'app.ts'), app)
  const compiled = await run(process.execPath, [compiler], inFolder).catch((error: { stdout: string }) => error)
  expect(compiled.stdout).toBe('')
  const { stdout } = await run(process.execPath, ['out/app.js', t.url], inFolder)
  expect(stdout).toBe('Success Lunch\n4040 TOPIC_NOT_FOUND 0\n')
})
