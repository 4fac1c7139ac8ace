import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasCode, messageOf } from '../src/server/core/errors.ts'

/**
 * Builds the scripts and styles of the pages in `src/web/built`, unless they are newer than all sources. Runs before
 * `npm start` and `npm test`.
 */

const web = join(dirname(dirname(fileURLToPath(import.meta.url))), 'src/web')
const built = join(web, 'built')
const scripts = ['attendee', 'account', 'console']

/** Each of the files in a folder. The console has its own, so that attendees load none of it. */
const styles = { 'style.css': 'style', 'console.css': 'style/console' }

/** When the newest of the sources was changed, in milliseconds since 1970. A folder is changed when a file is deleted. */
async function newestSource(): Promise<number> {
  const files = (await readdir(web, { recursive: true })).filter((file) => !file.startsWith('built'))
  const sources = [...files.map((file) => join(web, file)), fileURLToPath(import.meta.url)]
  return Math.max(...(await Promise.all(sources.map(async (file) => (await stat(file)).mtimeMs))))
}

async function isCurrent(): Promise<boolean> {
  try {
    const outputs = [...Object.keys(styles), ...scripts.map((name) => `${name}.js`)]
    const times = await Promise.all(outputs.map(async (file) => (await stat(join(built, file))).mtimeMs))
    return Math.min(...times) > (await newestSource())
  } catch {
    return false
  }
}

/** Writes a file at once, since another process may read it, or build it, too. */
async function replace(file: string, content: string): Promise<void> {
  const beside = join(built, `${file}.${randomUUID()}`)
  await writeFile(beside, content)
  await rename(beside, join(built, file))
}

/** In the order of their names, without comments and indentation. */
async function buildStyle(folder: string): Promise<string> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.css')).sort()
  const sources = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  return sources
    .join('')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\n\s*/g, '\n')
    .trim()
}

async function buildScript(name: string): Promise<string> {
  // Loaded on demand, since most starts find everything built.
  const { rolldown } = await import('rolldown')
  await using bundle = await rolldown({ input: join(web, `${name}.ts`), platform: 'browser' })
  const { output } = await bundle.generate({ format: 'es', minify: true, codeSplitting: false })
  return output[0].code
}

/** @throws if a source is invalid, or the folder cannot be written */
export async function buildWeb(): Promise<void> {
  if (await isCurrent()) return
  const files: [string, string][] = []
  for (const [file, folder] of Object.entries(styles)) files.push([file, await buildStyle(join(web, folder))])
  for (const name of scripts) files.push([`${name}.js`, await buildScript(name)])
  await mkdir(built, { recursive: true })
  for (const [file, content] of files) await replace(file, content)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await buildWeb()
  } catch (error) {
    // The API works without its pages.
    const isMissing = hasCode(error, 'ERR_MODULE_NOT_FOUND')
    const reason = isMissing ? 'rolldown is not installed; run npm ci --include=dev' : messageOf(error).trim()
    console.error(`The scripts and styles of the pages were not built: ${reason}`)
  }
}
