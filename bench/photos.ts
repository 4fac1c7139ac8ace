import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { writeDataSet } from './data-set.ts'
import { loadDataSet } from './load-data-set.ts'
import { standardSize } from './rows.ts'
import { startSummit } from './server.ts'

const cli = join(import.meta.dirname, '../src/cli/main.ts')

/** Number of photos that are imported, one per event. */
const importCount = 20

/** Creates a JPEG like a phone's photo: 12 megapixels, about 5 MB. */
async function createPhoto(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 25 } as const
  return sharp({ create: { width: 4_000, height: 3_000, channels: 3, background: '#888', noise } })
    .jpeg({ quality: 85 })
    .toBuffer()
}

/**
 * Uploads photos from several clients while others are imported and resized, and reads the server's event loop delay
 * from its metrics.
 * @returns the result as a sentence
 */
export async function measurePhotos({ clients, seconds }: { clients: number; seconds: number }): Promise<string> {
  await using work = await mkdtempDisposable(join(tmpdir(), 'summit-photos-'))
  const dataSet = join(work.path, 'data-set')
  writeDataSet(dataSet, { ...standardSize, topics: 100 })
  const settings = { DATA_DIR: join(work.path, 'data'), PORT: '0' }
  await loadDataSet(dataSet, settings)
  const bytes = await createPhoto()
  const folder = join(work.path, 'photos')
  mkdirSync(folder)
  for (let id = 1; id <= importCount; id++) writeFileSync(join(folder, `${id}.photo.jpg`), bytes)

  await using server = await startSummit(settings, join(work.path, 'log'))
  // Discards the delay of the start-up.
  await readLoopDelay(server.url)
  const deadline = performance.now() + seconds * 1_000
  let uploaded = 0
  const upload = async () => {
    while (performance.now() < deadline) {
      const form = new FormData()
      form.set('name', 'Photo')
      form.set('created_by', '1')
      form.set('uploaded_files', new Blob([bytes], { type: 'image/jpeg' }), 'photo.jpg')
      const response = await fetch(`${server.url}/api/newsfeeds/topics/create`, { method: 'POST', body: form })
      const [{ response_code: code }] = JSON.parse(await response.text())
      if (code !== 1000) throw new Error(`an upload failed with response code ${code}`)
      uploaded++
    }
  }
  // On the second core, as the server runs on the first.
  const importing = promisify(execFile)('taskset', ['-c', '1', process.execPath, cli, 'import', 'images', folder], {
    env: { PATH: process.env.PATH, DATA_DIR: settings.DATA_DIR },
  })
  await Promise.all([importing, ...Array.from({ length: clients }, upload)])
  const { p99, max } = await readLoopDelay(server.url)
  const size = (bytes.length / 1e6).toFixed(1)
  return (
    `${uploaded} photos of 12 megapixels (${size} MB) by ${clients} clients in ${seconds} s, ${importCount} imported: ` +
    `event loop delay ${p99.toFixed(1)} ms (p99), ${max.toFixed(1)} ms (max); ${Math.round(server.peakMemory() / 1e6)} MB`
  )
}

/** Node samples the clock at this interval in milliseconds; the metrics include it. */
const sampleInterval = 10

/** @returns the event loop delay since the last call, in milliseconds */
async function readLoopDelay(url: string): Promise<{ p99: number; max: number }> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const read = (name: string) =>
    Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (.*)$`, 'm').exec(text)?.[1]) * 1e3 - sampleInterval
  return { p99: read('p99'), max: read('max') }
}
