import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { tableNames } from '../../src/server/db/tables.ts'
import { startRecordedServer } from '../../src/server/lifecycle/recorded-server.fixtures.ts'
import { createTestStorage } from '../app.ts'
import { runSummitInProcess } from '../command.ts'
import * as make from '../make.ts'
import { publicUrl } from './app-with-keys.ts'

test('the secret of a key is in no row, file, log line, metric or later output, which name its id', async () => {
  await using storage = await createTestStorage()
  await using server = await startRecordedServer({
    ...storage.settings,
    ...{ ACCESS: 'public', PUBLIC_URL: publicUrl, LOG_LEVEL: 'debug' },
  })
  const { ctx } = server.serving
  const participant = await make.participant({ ctx })
  const command = (...args: string[]) => runSummitInProcess(['key', ...args], storage.settings)
  const { out } = await command('create', 'phone', '--participant', String(participant))
  const secret = /^ {2}(smt_[\w-]{43})$/m.exec(out)?.[1] ?? ''
  expect(secret).not.toBe('')

  const headers = { authorization: `Bearer ${secret}`, 'idempotency-key': 'once' }
  const client = createClient(server.url, { headers })
  expect(await make.codeOf(client.call('createTopic', { name: 'Lunch is served', created_by: participant }))).toBe(1000)
  const requests: [string, RequestInit][] = [
    ['/api/newsfeeds/topics/1/details', { headers }],
    ['/api/newsfeeds/topics/create', { method: 'POST', headers, body: '{' }],
    ['/api/newsfeeds/topics/1/delete', { method: 'DELETE', headers: { authorization: `Bearer ${secret}x` } }],
    // Mistakes of those who build an app.
    [`/k/${secret}/api/newsfeeds/topics/0/10`, {}],
    [`/${secret}`, {}],
    [`/api/newsfeeds/topics/0/10?key=${secret}`, {}],
  ]
  const bodies = await Promise.all(requests.map(async ([path, init]) => (await fetch(server.url + path, init)).text()))
  const revoked = [await command('list'), await command('revoke', '1'), await command('list')]
  bodies.push(await (await fetch(server.url + requests[0]?.[0], { headers })).text())
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  const rows = await Promise.all(tableNames.map((table) => ctx.database.read.selectFrom(table).selectAll().execute()))
  const log = await server.close()

  expect(log).toContainEqual(expect.objectContaining({ operation: 'createTopic', credential: 1 }))
  const files = await readdir(storage.dataDir, { recursive: true, withFileTypes: true })
  const stored = await Promise.all(
    files.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')),
  )
  const everything = { bodies, revoked, metrics, rows, log, stored }
  for (const [what, value] of Object.entries(everything))
    expect(JSON.stringify(value).includes(secret.slice('smt_'.length)), what).toBe(false)
})
