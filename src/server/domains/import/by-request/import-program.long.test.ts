import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runSummitInProcess } from '../../../../../test/command.ts'
import { findSharedData } from '../../../../../test/shared-data.ts'
import { plan, startWithEditor, toFile } from './import-program.fixtures.ts'

// Files of real conferences, by request.

const schedule = findSharedData('data/39c3.schedule.json')
const sessionize = findSharedData('data/scottish-summit.sessionize.json')

test.each([schedule, sessionize].filter((file) => file !== undefined))(
  '%s has the plan that the command prints, and is imported as that',
  async (path) => {
    await using t = await startWithEditor()
    const file = toFile(await readFile(path), basename(path))
    const { out } = await runSummitInProcess(['import', 'program', path, '--all'], t.settings)
    const planned = await plan(t.editor, file)
    for (const [change, count] of Object.entries(planned.counts))
      expect(out).toContain(`  ${change.padEnd(10)} ${String(count).padStart(6)}`)
    for (const { change, title, where_and_when } of planned.sessions)
      expect(out).toContain(`  ${change.padEnd(10)} ${title} (${where_and_when})`)
    for (const { line, message } of planned.remarks) expect(out).toContain(`line ${line}: ${message}`)
    for (const { name, count } of planned.unused) expect(out).toContain(`${name} ${count.toLocaleString('en')}`)
    for (const { kind, name } of planned.clashes) expect(out).toContain(`- ${kind} “${name}”`)
    await t.editor.applyImport({ hash: planned.hash }, { file })
    expect((await plan(t.editor, file)).counts.unchanged).toBe(planned.counts.new)
    expect((await runSummitInProcess(['import', 'program', path], t.settings)).out).toContain('Nothing to do.')
  },
)

/** Runs `work` while a client reads. @returns the most processor time that one turn of the event loop took, in ms */
async function longestTurn(work: () => Promise<unknown>, read: () => Promise<unknown>): Promise<number> {
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  let isDone = false
  const reading = (async () => {
    while (!isDone) await read()
  })()
  const turns = (async () => {
    let longest = 0
    for (let before = cpuMs(); !isDone; before = cpuMs()) {
      await setImmediate()
      longest = Math.max(longest, cpuMs() - before)
    }
    return longest
  })()
  await work().finally(() => {
    isDone = true
  })
  await reading
  return turns
}

test.skipIf(!schedule)('others are served while 39C3 is planned, imported as a draft, and published', async () => {
  await using t = await startWithEditor()
  const path = schedule ?? ''
  const file = toFile(await readFile(path), basename(path))
  const read = () => t.ana.client.listTopics({ offset: 0, limit: 10 })
  // The command plans in its own process, which is this one. That a collection of garbage falls into a turn, or that the
  // machine is slow, prolongs the turns of both; it takes more than twenty times as long as those of the server.
  const inProcess = await longestTurn(() => runSummitInProcess(['import', 'program', path], t.settings), read)
  for (const draft of [true, false]) {
    let hash = ''
    const planning = await longestTurn(async () => ({ hash } = await plan(t.editor, file, { draft })), read)
    const applying = await longestTurn(() => t.editor.applyImport({ hash, draft }, { file }), read)
    expect(Math.max(planning, applying), 'ms of the longest turn').toBeLessThan(inProcess / 2)
  }
})
