import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTestStorage } from '../app.ts'
import { runSummitInProcess } from '../command.ts'
import { findProgram } from '../find-program.ts'
import { waitUntil } from '../wait-until.ts'
import { type ReadyServer, startServer } from './server-process.ts'

// Servers in processes of their own, to which libfaketime shows another time.

const faketime = findProgram('faketime')
const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10)

/** The environment in which a program sees another time. @param offset such as `+365d` */
function atTime(offset: string): Record<string, string> {
  const environment = execFileSync(faketime ?? '', ['-m', '-f', offset, 'env'], { encoding: 'utf8' })
  return { LD_PRELOAD: /^LD_PRELOAD=(.*)$/m.exec(environment)?.[1] ?? '', FAKETIME: offset }
}

const peopleOf = async ({ client }: ReadyServer) =>
  (await client.listParticipants({ offset: 0, limit: 100 })).participants.length

test.skipIf(!faketime)('a start with the clock a year ahead erases nobody, and reports the clock', async () => {
  await using storage = await createTestStorage()
  const settings = { ...storage.settings, LOG_LEVEL: 'warn', ERASE_PERSONAL_DATA_AFTER: days(100) }
  {
    await using server = await startServer(storage.dataDir, settings)
    const list = join(storage.dataDir, 'people.csv')
    await writeFile(list, 'first_name,email\nAna,ana@x.org\nBen,ben@x.org\nCleo,cleo@x.org\n')
    const imported = await runSummitInProcess(['import', 'participants', list, '--apply'], storage.settings)
    expect(imported).toMatchObject({ code: 0 })
    await sleep(11_000)
    await server.kill('SIGTERM')
    expect(server.stdout()).not.toContain('"level":40')
  }
  await using server = await startServer(storage.dataDir, { ...settings, ...atTime('+365d') })
  await waitUntil('the report', () =>
    /no server is known to have run since \S+, or the clock was set forward/.test(server.stdout()),
  )
  await sleep(5_000)
  expect(await peopleOf(server)).toBe(3)
})
