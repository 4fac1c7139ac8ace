import { quote } from './clean.ts'
import { entries, items, type JsonNode } from './json-nodes.ts'

const maxNames = 5

/** Describes the content of a JSON file, to follow “it has”; `''` for an empty one. */
export function describeJson(root: JsonNode): string {
  if (root.type === 'array') return items(root).length > 0 ? describeList(root) : ''
  return entries(root)
    .slice(0, maxNames)
    .map(({ name, value }) => `${quote(name)}${value.type === 'array' ? ` (${describeList(value)})` : ''}`)
    .join(', ')
}

function describeList(list: JsonNode): string {
  const [first] = items(list)
  if (first === undefined) return 'an empty list'
  const names = entries(first).slice(0, maxNames)
  return names.length > 0 ? `a list of objects with ${names.map(({ name }) => quote(name)).join(', ')}` : 'a list'
}
