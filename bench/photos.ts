import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { standardSize } from './data.ts'
import { writeDataSet } from './generate.ts'
import { loadDataSet } from './load.ts'
import { startSummit } from './server.ts'

const cli = join(import.meta.dirname, '../src/cli/main.ts')

/** Photos that the organizer has to attach: one for each of so many events. */
const imported = 20

/** A photo as a phone takes it: 12 megapixels, with enough in them that it takes about 5 MB. */
export async function photo(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 25 } as const
  return sharp({ create: { width: 4_000, height: 3_000, channels: 3, background: '#888', noise } })
    .jpeg({ quality: 85 })
    .toBuffer()
}

/**
 * Uploads photos by several clients at once, while the organizer imports some that are resized, and reads how late the
 * server's event loop was meanwhile from its own metrics.
 * @returns what was seen, in a sentence
 */
export async function photos({ clients, seconds }: { clients: number; seconds: number }): Promise<string> {
  await using work = await mkdtempDisposable(join(tmpdir(), 'summit-photos-'))
  const dataSet = join(work.path, 'data-set')
  writeDataSet(dataSet, { ...standardSize, topics: 100 })
  const settings = { DATA_DIR: join(work.path, 'data'), PORT: '0' }
  await loadDataSet(dataSet, settings)
  const bytes = await photo()
  const folder = join(work.path, 'photos')
  mkdirSync(folder)
  for (let nth = 1; nth <= imported; nth++) writeFileSync(join(folder, `${nth}.photo.jpg`), bytes)

  await using server = await startSummit(settings, join(work.path, 'log'))
  await loopDelay(server.url)
  const deadline = performance.now() + seconds * 1_000
  let uploaded = 0
  const upload = async () => {
    while (performance.now() < deadline) {
      const form = new FormData()
      form.set('name', 'Photo')
      form.set('created_by', '1')
      form.set('uploaded_files', new Blob([bytes], { type: 'image/jpeg' }), 'photo.jpg')
      const answer = await fetch(`${server.url}/api/newsfeeds/topics/create`, { method: 'POST', body: form })
      const [{ response_code: code }] = JSON.parse(await answer.text())
      if (code !== 1000) throw new Error(`an upload was answered ${code}`)
      uploaded++
    }
  }
  // The server has the first core to itself.
  const importing = promisify(execFile)('taskset', ['-c', '1', process.execPath, cli, 'import', 'images', folder], {
    env: { PATH: process.env.PATH, DATA_DIR: settings.DATA_DIR },
  })
  await Promise.all([importing, ...Array.from({ length: clients }, upload)])
  const { p99, max } = await loopDelay(server.url)
  const size = (bytes.length / 1e6).toFixed(1)
  return (
    `${uploaded} photos of 12 megapixels (${size} MB) by ${clients} clients in ${seconds} s, ${imported} imported: ` +
    `event loop late by ${p99.toFixed(1)} ms (p99), ${max.toFixed(1)} ms (max); ${Math.round(server.peakMemory() / 1e6)} MB`
  )
}

/** The metrics are of the time between two looks at the clock, which are so many milliseconds apart when nothing is late. */
const betweenLooks = 10

/** How late the event loop was, in milliseconds, since the last time that this was asked. */
async function loopDelay(url: string): Promise<{ p99: number; max: number }> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const of = (name: string) =>
    Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (.*)$`, 'm').exec(text)?.[1]) * 1e3 - betweenLooks
  return { p99: of('p99'), max: of('max') }
}
