import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

export const root = join(import.meta.dirname, '../..')
export const src = join(root, 'src')

/** Paths in the repository, or the name of a package. */
interface Import {
  from: string
  to: string
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => join(src, path))

/** The text of every source file except tests, by its path in the repository. */
export const text = new Map(files.map((path) => [relative(root, path), readFileSync(path, 'utf8')]))

/** The imports and exports of all sources that match. @param pattern captures the specifier of the other module */
export const findImports = (pattern: RegExp): Import[] =>
  [...text].flatMap(([from, code]) =>
    [...code.matchAll(pattern)].map(([, to = '']) => ({
      from,
      to: to.startsWith('.') ? relative(root, resolve(root, dirname(from), to)) : to,
    })),
  )

export const imports = findImports(/(?:from|import\()\s*'([\w@./:-]+)'/g)

export const describeImport = ({ from, to }: Import) => `${from} -> ${to}`

/** The folder of a file of a domain. */
export const domainOf = (path: string) => /^src\/server\/domains\/([a-z-]+)\//.exec(path)?.[1]

/** The domains with routes. */
export const withRoutes = [...new Set([...text.keys()].flatMap((path) => domainOf(path) ?? []))].filter((domain) =>
  text.has(`src/server/domains/${domain}/routes.ts`),
)

/** Those that query tables of their own only: the domains with routes, and those of imports and exports. */
export const domains = new Set([...withRoutes, 'import', 'export'])
