import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { request } from 'node:http'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readConfig } from '../src/server/config/config.ts'
import { serve } from '../src/server/lifecycle/serve.ts'

// Prints which files of the server one warm request runs, by V8's coverage: how many files a reader has to open to
// follow a cached read, or a new topic, through the server. The log is off; it adds one file.
// Usage: node scripts/request-files.ts, with the Node that runs Summit

const server = pathToFileURL(join(import.meta.dirname, '../src/server/')).href

/** Enough that everything which is set up at first use has been. */
const warmUps = 20

await using folder = await mkdtempDisposable(join(tmpdir(), 'summit-request-files-'))
const { config } = readConfig({ DATA_DIR: folder.path, PORT: '0', LOG_LEVEL: 'silent' })
const { address, close } = await serve(config)

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

const topic = { name: 'A topic', body: 'Its text', created_by: 1 }
await report('a cached read (GET /api/newsfeeds/topics/0/20)', () => send('GET', '/api/newsfeeds/topics/0/20'))
await report('a new topic (POST /api/newsfeeds/topics/create)', () =>
  send('POST', '/api/newsfeeds/topics/create', JSON.stringify(topic)),
)
session.disconnect()
await close()

async function report(title: string, sendRequest: () => Promise<void>): Promise<void> {
  for (let sent = 0; sent < warmUps; sent++) await sendRequest()
  // Resets the counts.
  await session.post('Profiler.takePreciseCoverage')
  await sendRequest()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const files = result
    .filter(({ url, functions }) => url.startsWith(server) && functions.some(hasRun))
    .map(({ url }) => url.slice(server.length))
    .sort()
  console.log(`${files.length} files run for ${title}:\n${files.map((file) => `  ${file}\n`).join('')}`)
}

/** Modules are functions without a name, which have run at start. */
function hasRun({ ranges }: { ranges: { count: number }[] }): boolean {
  return (ranges[0]?.count ?? 0) > 0
}

async function send(method: string, path: string, body?: string): Promise<void> {
  const sent = request(new URL(path, address), { method, headers: { 'content-type': 'application/json' } })
  sent.end(body)
  const [response] = await once(sent, 'response')
  const [envelope] = (await new Response(response).json()) as [{ response_code: number }]
  if (envelope.response_code !== 1000) throw new Error(`${method} ${path} failed: ${JSON.stringify(envelope)}`)
}
