import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { noSmallDisk, SmallDisk } from '../small-disk.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { until } from '../until.ts'
import { droppedCounts, parseLogLines } from './log-lines.ts'
import { cleanExit, fillLog, startWithOutput, stop } from './logging-server.ts'
import { logToClosedPipe, logToFullDisk, logToStoppedTerminal, logToUnreadPipe, script } from './outputs.ts'

describe('a server that cannot write its log drops lines, serves requests and stops', { timeout: 60_000 }, () => {
  test('on a full disk', () => logToFullDisk(1))

  test('to a pipe whose reader has exited', () => logToClosedPipe(1))

  test('to a pipe that is read again later, where it reports the dropped lines', () => logToUnreadPipe(1))

  test.skipIf(!script)('to a terminal stopped with Ctrl-S', () => logToStoppedTerminal(1))
})

test.skipIf(noSmallDisk)('a log file on a disk that was full continues with whole lines', async () => {
  await using folder = await temporaryFolder()
  using disk = new SmallDisk()
  const path = join(disk.dir, 'log')
  const file = openSync(path, 'a')
  await using server = await startWithOutput(folder.dir, 1, file)
  closeSync(file)
  disk.fillUp()
  await fillLog(server.url)
  disk.giveSpace()
  const hasReport = () => readFileSync(path, 'latin1').includes('"dropped":')
  await until('the log reports the dropped lines', hasReport, 5_000)
  expect(await stop(server)).toEqual(cleanExit)
  const lines = parseLogLines(readFileSync(path, 'latin1'))
  expect(droppedCounts(lines)).toHaveLength(1)
  expect(lines.at(-1)?.msg).toBe('stopping')
  rmSync(path)
})
