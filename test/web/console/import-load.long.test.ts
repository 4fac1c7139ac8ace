import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readPage } from '../read-page.ts'
import { csv, plan, rows, startImporting, toFile } from './program-files.ts'

// Many imports at once: the server reads a few files, refuses the others for a moment, and serves everybody else.

/** A program of 1 MB. */
function largeFile(): File {
  const about = 'Ropes and knots of small boats. '.repeat(33)
  const lines = Array.from({ length: 1_000 }, (_, n) => {
    const [day, hour] = [String(1 + (n % 28)).padStart(2, '0'), String(8 + (n % 12)).padStart(2, '0')]
    return `${n},Talk ${n},2030-05-${day} ${hour}:00,2030-05-${day} ${hour}:30,Room ${n % 40},${about}`
  })
  return toFile(['ID,Title,Start,End,Room,Description', ...lines])
}

/** The processes that this one has started to plan files. */
async function countPlanners(): Promise<number> {
  const children = (await readFile(`/proc/self/task/${process.pid}/children`, 'utf8')).split(' ').filter(Boolean)
  const commands = await Promise.all(children.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return commands.filter((command) => command.includes('plan-process')).length
}

test('of thirty files at once a few are planned by one process, others may be sent again, and reads go on', async () => {
  await using t = await startImporting()
  const { eva } = t
  await t.importAll(csv(rows.opening, rows.boats))
  const small = csv(rows.opening.replace('Opening', 'Welcome'), rows.boats.replace('Boats', 'Ships'))
  const planned = await eva.submit('/console/import', plan, { file: small, draft: 'false' })
  const form = await eva.open('/console/import')
  const file = largeFile()
  expect(file.size).toBeGreaterThan(1_000_000)
  const before = process.memoryUsage().rss
  let isDone = false
  let applied: ReturnType<typeof eva.submit> | undefined
  const planLarge = async () => {
    const page = await eva.submit(form, plan, { file, draft: 'false', source: 'workshops' })
    // By now, four wait.
    if (page.status === 503) applied ??= eva.submit(planned, 'Import', { file: small, only: ['1-e1'] })
    return page
  }
  const sent = Promise.all(Array.from({ length: 30 }, planLarge)).finally(() => {
    isDone = true
  })
  const reads: number[] = []
  let [planners, memory] = [0, before]
  while (!isDone) {
    const start = performance.now()
    expect((await readPage(t, '/program')).status).toBeLessThan(400)
    reads.push(performance.now() - start)
    planners = Math.max(planners, await countPlanners())
    memory = Math.max(memory, process.memoryUsage().rss)
    await setTimeout(20)
  }
  const pages = await sent
  const refused = pages.filter(({ status }) => status === 503)
  const shown = pages.filter(({ status }) => status === 200)
  // The clients are in this process, too.
  expect(memory - before).toBeLessThan(500 * 2 ** 20)
  const median = reads.toSorted((a, b) => a - b)[reads.length >> 1]
  expect(median).toBeLessThan(1_000)
  expect([shown.length + refused.length, planners]).toEqual([30, 1])
  expect(shown.length).toBeGreaterThanOrEqual(4)
  expect(refused.length).toBeGreaterThan(0)
  for (const { words, text, headers } of refused) {
    expect(words).toContain('Nothing has been imported. Try again in 10 seconds.')
    expect(headers.get('retry-after')).toBe('10')
    expect(text).toMatch(/name="draft" value="false" checked/)
    expect(text).toContain('value="workshops"')
  }
  const kept = await applied
  if (!kept) throw new Error('nothing was refused')
  expect([kept.status, kept.words]).toEqual([503, expect.stringContaining('What you chose of the plan is still here.')])
  const done = await eva.submit(kept, 'Import', { file: small })
  expect(done.path).toContain('imported=1')
  expect(await t.titles()).toEqual(['Welcome', 'Boats'])
}, 120_000)
