import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { waitUntil } from '../../wait-until.ts'
import { createDataFolder } from '../create-data-folder.ts'
import { noSmallDisk, SmallDisk } from '../small-disk.ts'
import { droppedCounts, parseLogLines } from './log-lines.ts'
import { cleanExit, fillLog, startWithOutput, stop } from './logging-server.ts'
import {
  logToClosedPipe,
  logToFullDisk,
  logToStoppedTerminal,
  logToUnreadPipe,
  logToUnreadSocket,
  script,
} from './outputs.ts'

// Workers share one standard output.
describe.each([
  ['one process', 1],
  ['two workers', 2],
])('%s that cannot write the log drops lines, serves requests and stops', (_, workers) => {
  test('on a full disk', () => logToFullDisk(workers))

  test('to a pipe whose reader has exited', () => logToClosedPipe(workers))

  test('to a pipe that is read again later, where it reports the dropped lines', () => logToUnreadPipe(workers))

  test('to an unread socket', () => logToUnreadSocket(workers))

  test.skipIf(!script)('to a terminal stopped with Ctrl-S', () => logToStoppedTerminal(workers))
})

test.skipIf(noSmallDisk)('a log file on a disk that was full continues with whole lines', async () => {
  await using folder = await createDataFolder()
  using disk = new SmallDisk()
  const path = join(disk.dir, 'log')
  const file = openSync(path, 'a')
  await using server = await startWithOutput(folder.dir, 1, file)
  closeSync(file)
  disk.fillUp()
  await fillLog(server.url)
  disk.freeSpace()
  const hasReport = () => readFileSync(path, 'latin1').includes('"dropped":')
  await waitUntil('the log reports the dropped lines', hasReport)
  expect(await stop(server)).toEqual(cleanExit)
  const lines = parseLogLines(readFileSync(path, 'latin1'))
  expect(droppedCounts(lines)).toHaveLength(1)
  expect(lines.at(-1)?.msg).toBe('stopping')
  rmSync(path)
})
