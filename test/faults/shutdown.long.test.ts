import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { defaultTimeoutMs } from '../../src/server/lifecycle/stop/drain.ts'
import { waitUntil } from '../wait-until.ts'
import { createDataFolder } from './create-data-folder.ts'
import { createRandom } from './random.ts'
import { startServer } from './server-process.ts'
import { shutDownUnderLoad } from './shutdown-under-load.ts'

test('50 clients get the responses to all their requests each of five times that the server is told to stop', () =>
  shutDownUnderLoad({ clients: 50, rounds: 5 }))

test('a server that is told to stop completes a download, and does not wait for a silent connection', async () => {
  await using folder = await createDataFolder()
  await using server = await startServer(folder.dir)
  const silent = connect(Number(new URL(server.url).port), '127.0.0.1')
  await once(silent, 'connect')
  const bytes = createRandom(1).bytes(8_000_000)
  const file = new File([bytes], 'big.bin')
  const { NewsFeed } = await server.client.createTopic({ name: 'Slides', created_by: 1 }, { files: [file] })
  const link = NewsFeed[0]?.content.uploaded_files[0]?.link ?? ''
  const [response] = (await once(get(link), 'response')) as [IncomingMessage]

  const exit = server.kill('SIGTERM')
  await waitUntil('the server accepts no connection', () => isRefused(server.url))
  const received = Buffer.concat(await response.toArray())

  expect(received.equals(bytes)).toBe(true)
  let hasExited = false
  exit.finally(() => {
    hasExited = true
  })
  await waitUntil('the server has exited', () => hasExited, defaultTimeoutMs / 2)
  expect(await exit).toEqual({ code: 0, signal: null })
})

async function isRefused(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const refused = once(socket, 'connect').then(
    () => false,
    () => true,
  )
  return refused.finally(() => socket.destroy())
}
