import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { multipartRequest } from './multipart-body.ts'
import type { Random } from './random.ts'
import type { Target } from './server-process.ts'

/**
 * Begins to post a topic with one to three files and hangs up somewhere in the middle of its body.
 * @param name of the topic, which must never be seen
 */
export async function abortUpload({ url }: Target, name: string, random: Random): Promise<void> {
  const files = Array.from({ length: random.int(1, 3) }, (_, index) => ({
    name: `${name} ${index}.bin`,
    bytes: random.bytes(random.pick([100, 5_000, 100_000, 300_000]) ?? 0),
  }))
  const { head, body } = multipartRequest('/api/newsfeeds/topics/create', { name, created_by: '1' }, files)
  const cut = body.subarray(0, random.int(0, body.length - 1))
  const pauseMs = random.pick([0, 0, 1, 5, 20]) ?? 0
  const isReset = random.chance(0.5)

  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  // That the server goes away is the other end's business here.
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await new Promise((resolve) => {
    socket.once('close', resolve)
    socket.write(head)
    socket.write(cut, resolve)
  })
  if (pauseMs > 0) await sleep(pauseMs)
  if (isReset) socket.resetAndDestroy()
  else socket.destroy()
  await closed
}
