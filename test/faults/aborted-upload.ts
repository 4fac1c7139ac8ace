import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { multipartRequest } from './multipart-body.ts'
import type { Random } from './random.ts'
import type { Target } from './server-process.ts'

/**
 * Sends a part of a topic with one to three files, and disconnects.
 * @param name of the topic, which must never be stored
 */
export async function abortUpload({ url }: Target, name: string, random: Random): Promise<void> {
  const files = Array.from({ length: random.int(1, 3) }, (_, index) => ({
    name: `${name} ${index}.bin`,
    bytes: random.bytes(random.pick([100, 5_000, 100_000, 300_000]) ?? 0),
  }))
  const { head, body } = multipartRequest('/api/newsfeeds/topics/create', { name, created_by: '1' }, files)
  const sent = body.subarray(0, random.int(0, body.length - 1))
  const pauseMs = random.pick([0, 0, 1, 5, 20]) ?? 0
  const isReset = random.chance(0.5)

  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  // The server may have been killed.
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await new Promise((resolve) => {
    socket.once('close', resolve)
    socket.write(head)
    socket.write(sent, resolve)
  })
  if (pauseMs > 0) await sleep(pauseMs)
  if (isReset) socket.resetAndDestroy()
  else socket.destroy()
  await closed
}
