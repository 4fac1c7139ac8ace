import { execFile } from 'node:child_process'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { browserMissing, openBrowser } from '../test/browser.ts'
import { median } from './measure.ts'
import { seededRandom } from './random.ts'
import { startSummit } from './server.ts'

const cli = join(import.meta.dirname, '../src/cli/main.ts')

/** A large conference: all of its sessions in two days. */
const sessions = 1_100
const rooms = 35
const days = ['2030-05-02', '2030-05-03']

/** A slow phone on a slow network. */
const phone = { viewport: { width: 360, height: 740 }, isMobile: true, deviceScaleFactor: 2 }
const cpuSlowdown = 6
const network = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** The rows of a program: every room has a session in each slot of 45 minutes, until there are enough. */
function writeProgram(): string {
  const random = seededRandom(1)
  const words =
    'open small boats networks hardware maps without servers in practice how we learned to repair the web'.split(' ')
  const text = (count: number) =>
    Array.from({ length: count }, () => words[Math.floor(random() * words.length)]).join(' ')
  const rows = Array.from({ length: sessions }, (_, index) => {
    const slot = Math.floor(index / rooms)
    const perDay = Math.ceil(sessions / rooms / days.length)
    const start = 9 * 60 + (slot % perDay) * 45
    const day = days[Math.floor(slot / perDay)]
    const speaker = `Speaker ${text(1)} ${1 + (index % 600)}`
    return `${index},${text(6)},${day} ${clock(start)},${day} ${clock(start + 40)},Room ${1 + (index % rooms)},Track ${index % 8},${speaker},${text(40)}`
  })
  return ['id,title,start,end,room,track,speaker,abstract', ...rows].join('\n')
}

/** Times of the page, in milliseconds; every task above 50 ms blocks for the rest of it (https://web.dev/articles/tbt). */
const readTimes = `({
  paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
  blocking: window.__tasks.reduce((sum, duration) => sum + Math.max(0, duration - 50), 0),
  bytes: performance.getEntriesByType('navigation')[0].encodedBodySize,
})`

const watchTasks = `
  window.__tasks = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.__tasks.push(duration)
  }).observe({ type: 'longtask', buffered: true })`

interface Times {
  paint: number
  blocking: number
  bytes: number
}

/**
 * Measures the first visit of a day of a large program with a slow phone on a slow network.
 * @returns the medians as a sentence
 */
export async function measurePaint(rounds: number): Promise<string> {
  if (browserMissing) throw new Error(browserMissing)
  await using work = await mkdtempDisposable(join(tmpdir(), 'summit-paint-'))
  const settings = { DATA_DIR: join(work.path, 'data'), PORT: '0', BEGIN_WITH: 'empty' }
  const program = join(work.path, 'program.csv')
  await writeFile(program, writeProgram())
  await using server = await startSummit(settings, join(work.path, 'log'))
  await promisify(execFile)(process.execPath, [cli, 'import', 'program', program, '--apply'], {
    env: { PATH: process.env.PATH, DATA_DIR: settings.DATA_DIR },
  })
  const times: Times[] = []
  for (let round = 0; round < rounds; round++) {
    await using browser = await openBrowser(phone)
    const page = await browser.newPage()
    await page.addInitScript(watchTasks)
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', network)
    await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
    await page.goto(`${server.url}/program/${days[0]}`, { waitUntil: 'load' })
    await page.waitForTimeout(2_000)
    times.push((await page.evaluate(readTimes)) as Times)
  }
  const medianOf = (name: keyof Times): string => median(times.map((time) => time[name])).toFixed(0)
  return (
    `first paint ${medianOf('paint')} ms, blocked for ${medianOf('blocking')} ms, ${medianOf('bytes')} bytes of HTML compressed: ` +
    `a day of ${sessions} sessions in ${days.length} days and ${rooms} rooms, ${rounds} first visits`
  )
}
