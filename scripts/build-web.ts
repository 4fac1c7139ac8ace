import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Builds the scripts and styles of the pages in `src/web/built`, unless they are newer than all sources. Runs before
 * `npm start` and `npm test`.
 */

const web = join(dirname(dirname(fileURLToPath(import.meta.url))), 'src/web')
const built = join(web, 'built')
const scripts = ['attendee', 'account']

/** When the newest of the sources was changed, in milliseconds since 1970. */
async function newestSource(): Promise<number> {
  const files = await readdir(web, { recursive: true })
  const sources = files.filter((file) => /\.(ts|css)$/.test(file) && !file.startsWith('built'))
  const times = await Promise.all(sources.map(async (file) => (await stat(join(web, file))).mtimeMs))
  return Math.max(...times, (await stat(fileURLToPath(import.meta.url))).mtimeMs)
}

async function isCurrent(): Promise<boolean> {
  try {
    const outputs = ['style.css', ...scripts.map((name) => `${name}.js`)]
    const times = await Promise.all(outputs.map(async (file) => (await stat(join(built, file))).mtimeMs))
    return Math.min(...times) > (await newestSource())
  } catch {
    return false
  }
}

/** In the order of their names, without comments and indentation. */
async function buildStyle(): Promise<void> {
  const folder = join(web, 'style')
  const files = (await readdir(folder)).sort()
  const sources = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  const style = sources
    .join('')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\n\s*/g, '\n')
  await writeFile(join(built, 'style.css'), style.trim())
}

async function buildScripts(): Promise<void> {
  // Loaded on demand, since most starts find everything built.
  const { rolldown } = await import('rolldown')
  for (const name of scripts) {
    await using bundle = await rolldown({ input: join(web, `${name}.ts`), platform: 'browser' })
    await bundle.write({ file: join(built, `${name}.js`), format: 'es', minify: true })
  }
}

/** @throws if a source is invalid, or the folder cannot be written */
export async function buildWeb(): Promise<void> {
  if (await isCurrent()) return
  await mkdir(built, { recursive: true })
  await buildStyle()
  await buildScripts()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await buildWeb()
  } catch (error) {
    // The API works without its pages.
    console.error(`The pages were not built: ${error instanceof Error ? error.message : error}`)
  }
}
