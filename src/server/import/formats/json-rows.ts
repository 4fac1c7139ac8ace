import type { Line } from './csv-table.ts'
import { entries, items, type JsonFile, type JsonNode, textIn, textOf } from './json-nodes.ts'

/** More members than any list of sessions has. */
const maxColumns = 100

/**
 * The rows of a list of objects, below a row with the names of their members; none if the file has no such list. The
 * list is the file itself, its longest member that is one, or an object of objects by their id.
 */
export function readJsonRows({ root, line }: JsonFile): Line[] {
  const candidates = [root, ...entries(root).map(({ value }) => value)].map(objectsIn)
  const objects = candidates.reduce((longest, each) => (each.length > longest.length ? each : longest), [])
  const names = new Set<string>()
  for (const object of objects) for (const { name } of entries(object)) if (names.size < maxColumns) names.add(name)
  if (names.size === 0) return []
  const rows = objects.map((object) => {
    const values = new Map(entries(object).map(({ name, value }) => [name, value]))
    return { line: line(object), cells: [...names].map((name) => cellOf(values.get(name)).trim()) }
  })
  return [{ line: line(root), cells: [...names] }, ...rows]
}

function objectsIn(node: JsonNode): JsonNode[] {
  const values = node.type === 'array' ? items(node) : entries(node).map(({ value }) => value)
  return values.every(({ type }) => type === 'object') ? values : []
}

/** The text of a value; the names of objects, and the elements of a list on lines of their own. */
function cellOf(node: JsonNode | undefined): string {
  if (node?.type === 'boolean') return String(node.value)
  if (node?.type === 'array')
    return items(node)
      .map((each) => (each.type === 'array' ? '' : cellOf(each)))
      .filter((text) => text !== '')
      .join('\n')
  return textIn(node, 'name', 'full_name', 'fullName', 'public_name', 'title') || textOf(node)
}
