import { readdir, readlink } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type AppWithKeys, startAppWithKeys } from './app-with-keys.ts'

// Memory and open files do not depend on how much a participant downloads.

const megabyte = 1024 ** 2
const block = Buffer.alloc(megabyte, 'x')

/** Attaches files to a topic of Ana, without requests. */
async function addFiles(t: AppWithKeys, files: number, megabytes: number): Promise<void> {
  const { participant, client } = t.ana
  await client.createTopic({ name: 'T', created_by: participant })
  for (let nth = 0; nth < files; nth++) {
    const staged = await t.ctx.blobs.stage(Array(megabytes).fill(block), Number.POSITIVE_INFINITY)
    const blob_key = `files/00/${nth}-${megabytes}`
    await staged.store(blob_key)
    const { size, sha256 } = staged
    const about = { topic_id: 1 as never, name: 'a.bin', file_type: 'application/octet-stream', created_at: 1 }
    const file = { ...about, created_by: participant, blob_key, size, sha256 }
    await t.ctx.database.transaction((tx) => tx.insertInto('file').values(file).execute())
  }
}

const download = async (t: AppWithKeys, signal?: AbortSignal) => {
  const response = await fetch(`${t.url}/api/me/export`, { headers: t.ana.headers, ...(signal && { signal }) })
  return Readable.fromWeb(response.body as never)
}

test('an archive of 400 MB takes less than half of that in memory, also for a slow reader', async () => {
  await using t = await startAppWithKeys('members')
  await addFiles(t, 1, 1)
  // The code and the buffers that any download needs.
  await (await download(t)).toArray()
  await addFiles(t, 8, 50)
  const used = () => process.memoryUsage().rss
  const before = used()
  let [most, received] = [0, 0]
  for await (const chunk of await download(t)) {
    if (received % (64 * megabyte) < (received - chunk.length) % (64 * megabyte)) await sleep(200)
    received += chunk.length
    most = Math.max(most, used())
  }
  expect(received).toBeGreaterThan(400 * megabyte)
  expect(most - before).toBeLessThan(200 * megabyte)
})

test('a reader who goes away leaves no file open', async () => {
  await using t = await startAppWithKeys('members')
  await addFiles(t, 3, 30)
  const openFiles = async () => {
    const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''))
    return (await Promise.all(links)).filter((path) => path.startsWith(t.dataDir) && path.includes('/files/'))
  }
  const aborting = new AbortController()
  const bytes = await download(t, aborting.signal)
  await new Promise((resolve) => bytes.once('readable', resolve))
  await expect.poll(openFiles).toHaveLength(1)
  aborting.abort()
  bytes.on('error', () => {})
  await expect.poll(openFiles).toEqual([])
})
