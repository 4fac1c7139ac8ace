import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createTestStorage, startTestAppOn } from '../../../test/app.ts'
import * as make from '../../../test/make.ts'
import { processesIn, socketsOf } from '../../../test/processes.ts'
import { startScratchServer } from './scratch-server.ts'

test('no other user of the machine can connect to the server on a copy', async ({ skip }) => {
  if (process.platform !== 'linux') skip('sockets are listed by Linux')
  await using storage = await createTestStorage()
  {
    await using t = await startTestAppOn(storage)
    await make.topic(t, { name: 'In the backup' })
  }
  await using server = await startScratchServer(storage.dataDir)
  expect(await server.get('/api/newsfeeds/topics/0/10')).toContain('In the backup')
  const pid = make.only(await processesIn(storage.dataDir))
  const sockets = await socketsOf(pid)
  /** The numbers of the sockets that accept connections (proc(5): state 0A of TCP, flag 10000 of Unix sockets). */
  const listening = async (file: string, line: RegExp) =>
    [...(await readFile(`/proc/${pid}/net/${file}`, 'utf8')).matchAll(line)].flatMap(([, inode = '']) => inode)
  const accepting = [
    ...(await listening('tcp', /^ +\d+: \S+ \S+ 0A (?:\S+ +){5}(\d+)/gm)),
    ...(await listening('tcp6', /^ +\d+: \S+ \S+ 0A (?:\S+ +){5}(\d+)/gm)),
    ...(await listening('unix', /^\S+ \S+ \S+ 00010000 \S+ \S+ +(\d+)/gm)),
  ]
  expect(sockets.filter((inode) => accepting.includes(inode))).toEqual([])
})
