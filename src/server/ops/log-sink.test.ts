import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** What a process whose standard output is a file has written there, of what it logs. */
async function logged(...batches: string[]): Promise<string> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'summit-test-'))
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
  ['more lines at once than may wait', `${'x'.repeat(200)}\n`.repeat(20_000)],
  ['a line that is longer than all that may wait', `${'x'.repeat(3_000_000)}\n`],
])('where there is room for them, %s are all written, and so is what follows', async (_, batch) => {
  expect((await logged(batch, 'after\n')) === `${batch}after\n`).toBe(true)
})
