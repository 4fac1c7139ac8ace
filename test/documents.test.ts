import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { filesBelow } from './files-below.ts'

const root = join(import.meta.dirname, '..')

const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...(await filesBelow(join(root, 'docs'))).map((path) => path.slice(root.length + 1)),
].filter((path) => path.endsWith('.md'))
const sources = (
  await Promise.all(['src', 'test', 'bench', 'scripts', 'deploy'].map((dir) => filesBelow(join(root, dir))))
)
  .flat()
  .map((path) => path.slice(root.length + 1))

const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The anchors of the headings of a document, as GitHub derives them. */
const anchorsOf = (path: string) =>
  Array.from(read(path).matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

const anchors = new Map(documents.map((path) => [path, anchorsOf(path)]))

test('every link from one document to another leads to an existing file and heading', () => {
  const broken = documents.flatMap((path) =>
    Array.from(read(path).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)).flatMap(
      ([link, file = '', anchor]) => {
        const target = file === '' ? path : join(dirname(path), file)
        if (!existsSync(join(root, target))) return `${path}: ${link}`
        return anchor !== undefined && !anchors.get(target)?.includes(anchor) ? `${path}: ${link}` : []
      },
    ),
  )
  expect(broken).toEqual([])
})

test('every document and section that a message or a comment names exists', () => {
  const others = readdirSync(root).filter((name) => /\.yaml$|^Dockerfile$/.test(name))
  const missing = [...sources, ...others].flatMap((path) =>
    Array.from(read(path).matchAll(/(docs\/[\w/-]+\.md)(?:, [“"]([^”"]+)[”"])?/g)).flatMap(
      ([name, file = '', section]) => {
        if (!existsSync(join(root, file))) return `${path}: ${name}`
        return section && !read(file).includes(`# ${section}\n`) ? `${path}: ${name}` : []
      },
    ),
  )
  expect(missing).toEqual([])
})

test('every file of the code that a document names exists, but for invented ones', () => {
  const paths = [...sources, 'vitest.config.ts'].map((path) => `/${path}`)
  const missing = documents.flatMap((path) =>
    Array.from(read(path).matchAll(/`([\w./-]+\.ts)`/g), ([, name = '']) => name)
      .filter((name) => !/announcements\.ts$|^utils\.ts$/.test(name) && !paths.some((one) => one.endsWith(`/${name}`)))
      .map((name) => `${path}: ${name}`),
  )
  expect(missing).toEqual([])
})

test('the first page of the guide for operators has a line for each page', () => {
  const pages = readdirSync(join(root, 'docs/operate')).filter((name) => name !== 'README.md')
  const lines = Array.from(read('docs/operate/README.md').matchAll(/^\| \[\S+\]\((\S+)\) \|/gm), ([, name]) => name)
  expect(lines.sort()).toEqual(pages.sort())
})

const records = readdirSync(join(root, 'docs/decisions')).filter((name) => /^\d{4}-/.test(name))
const numbers = records.map((name) => Number(name.slice(0, 4)))

/** The numbers of `decision 16`, and of `decisions 16, 17 and 22 to 24`, also where they are in the next line. */
const decisionsIn = (text: string) =>
  Array.from(
    text.matchAll(/decisions?[\s*/]+(\d+(?:(?:, | and | to )\d+)*)/gi),
    ([, list = '']) => list.match(/\d+/g) ?? [],
  ).flat()

test('every decision that a document or a comment names has a record', () => {
  const missing = [...documents, ...sources].flatMap((path) => {
    const text = read(path)
    const files = Array.from(text.matchAll(/decisions\/(\d{4}-[\w.-]+)/g), ([, name = '']) => name)
    return [
      ...files.filter((name) => !records.includes(name)),
      ...decisionsIn(text).filter((number) => !numbers.includes(Number(number))),
    ].map((name) => `${path}: ${name}`)
  })
  expect(missing).toEqual([])
})

test('the index of decisions has a line for each record, in their order', () => {
  const lines = Array.from(read('docs/decisions/README.md').matchAll(/^- \[(\d+)\]\((\S+)\)/gm), ([, number, name]) => [
    Number(number),
    name,
  ])
  expect(lines).toEqual(records.map((name) => [Number(name.slice(0, 4)), name]))
  for (const name of records) expect(read(`docs/decisions/${name}`)).toMatch(`# ${Number(name.slice(0, 4))}. `)
})
