import { readFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'rolldown'
import { root } from './root.ts'

const sources = join(root, 'src')

/**
 * A file that the sources locate: `new URL('resize-process.ts', import.meta.url)`,
 * `import.meta.resolve('package/file')`.
 */
const location = /new URL\('([^']+\.\w+)', import\.meta\.url\)|import\.meta\.resolve\('([^']+)'\)/g

const isProgram = (file: string) => /\.(ts|mjs)$/.test(file)

/** The path of a program in the output, which mirrors `src`. */
const outputName = (file: string) =>
  `${relative(sources, file)
    .replaceAll(sep, '/')
    .replace(/^(\.\.\/)+|\.\w+$/g, '')}.js`

/**
 * Adds every file that the sources locate to the output: programs built like the entry, all others as they are. Without
 * them, the built program would not find the processes that it starts, nor single files of packages.
 * @param onCopy called with the path of each file that is added as it is
 */
export const emitLocatedFiles = (onCopy: (path: string) => void): Plugin => ({
  name: 'emit-located-files',
  transform: {
    filter: { code: /import\.meta\.(url|resolve)/ },
    async handler(code, id) {
      if (!id.startsWith(sources)) return
      let built = code
      for (const [expression, path, specifier = ''] of code.matchAll(location)) {
        const file = path ? resolve(dirname(id), path) : fileURLToPath(import.meta.resolve(specifier))
        if (!isProgram(file)) onCopy(file)
        const reference = isProgram(file)
          ? this.emitFile({ type: 'chunk', id: file, fileName: outputName(file) })
          : this.emitFile({ type: 'asset', fileName: `assets/${basename(file)}`, source: await readFile(file) })
        const url = `import.meta.ROLLUP_FILE_URL_${reference}`
        built = built.replace(expression, path ? `new URL(${url})` : url)
      }
      return built
    },
  },
})
