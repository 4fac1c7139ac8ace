import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '../../../../test/temporary-folder.ts'

/** Logs the batches in a process whose standard output is a file, and returns the content of that file. */
async function logToFile(...batches: string[]): Promise<string> {
  await using folder = await createTemporaryFolder()
  const path = join(folder.path, 'log')
  const script = `
    import { text } from 'node:stream/consumers'
    import { LogSink } from ${JSON.stringify(new URL('log-sink.ts', import.meta.url).href)}
    const sink = new LogSink(1)
    for (const batch of JSON.parse(await text(process.stdin))) sink.write(batch)
    sink.finish()`
  const file = openSync(path, 'a')
  execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    input: JSON.stringify(batches),
    stdio: ['pipe', file, 'inherit'],
  })
  closeSync(file)
  return readFileSync(path, 'latin1')
}

test.each([
  ['more lines at once than fit into the buffer', `${'x'.repeat(200)}\n`.repeat(20_000)],
  ['a line that is longer than the buffer', `${'x'.repeat(3_000_000)}\n`],
])('if the output accepts them, nothing is dropped: %s', async (_, batch) => {
  expect((await logToFile(batch, 'after\n')) === `${batch}after\n`).toBe(true)
})
