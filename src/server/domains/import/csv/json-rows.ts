import { truncate } from '../../../core/clean-text.ts'
import {
  booleanOf,
  entries,
  entriesByKey,
  items,
  type JsonFile,
  type JsonNode,
  member,
  textIn,
  textOf,
} from '../text/json-nodes.ts'
import type { Line } from './csv-table.ts'
import { normalizeHeader } from './headings.ts'

/** More members than any list of sessions has. */
const maxColumns = 100

/**
 * The rows of a list of objects, below a row with the names of their members; none if the file has no such list. The
 * list is the file itself, its longest member that is one, an object of objects by their id, or the data of JSON:API.
 */
export function readJsonRows({ root, line }: JsonFile): Line[] {
  const resources = items(member(root, 'data')).filter((each) => member(each, 'attributes') !== undefined)
  const included = resources.length === 0 ? undefined : namesById(root)
  const objects = resources.length > 0 ? resources : longestList(root)
  const cellsOf = objects.map((object) => new Map(cellsByName(object, included).slice(0, 2 * maxColumns)))
  const names = [...new Set(cellsOf.flatMap((cells) => [...cells.keys()]))].slice(0, maxColumns)
  if (names.length === 0) return []
  const rows = objects.map((object, at) => ({
    line: line(object),
    cells: names.map((name) => cellsOf[at]?.get(name)?.trim() ?? ''),
  }))
  return [{ line: line(root), cells: names }, ...rows]
}

function longestList(root: JsonNode): JsonNode[] {
  const candidates = [root, ...entries(root).map(({ value }) => value)]
  const lists = candidates.map((node) => ({ node, objects: objectsIn(node) }))
  const { node, objects } = lists.reduce((most, each) => (each.objects.length > most.objects.length ? each : most))
  // The names of their members, if they have any, are ids.
  entriesByKey(node, 'session')
  return objects
}

function objectsIn(node: JsonNode): JsonNode[] {
  const values = node.type === 'array' ? items(node) : entries(node).map(({ value }) => value)
  return values.every(({ type }) => type === 'object') ? values : []
}

type NamedCell = readonly [name: string, cell: string]

/** The cells of an object by their names: its members, and those of WordCamp and JSON:API that are one level deeper. */
function cellsByName(object: JsonNode, included: ReadonlyMap<string, string> | undefined): NamedCell[] {
  return entries(object).flatMap(({ name, value }): NamedCell[] => {
    if (included && name === 'attributes')
      return entries(value).map((each) => [each.name, cellOf(each.value, each.name)])
    if (included && name === 'relationships')
      return entries(value).map((each) => relationship(each.name, member(each.value, 'data'), included))
    const start = Number(textIn(value, '_wcpt_session_time'))
    if (name !== 'meta' || member(value, '_wcpt_session_time') === undefined) return [[name, cellOf(value, name)]]
    return [
      ['start', start > 0 ? (unixTime(start) ?? '') : ''],
      ['duration', textIn(value, '_wcpt_session_duration').replace(/^\d+$/, 'PT$&S')],
    ]
  })
}

const nameMembers = ['name', 'full_name', 'full-name', 'fullName', 'public_name', 'title']

/** The text of a value; the names of objects, and the elements of a list on lines of their own. */
function cellOf(node: JsonNode | undefined, name: string): string {
  const flag = booleanOf(node)
  if (flag !== undefined) return String(flag)
  if (node?.type === 'array')
    return items(node)
      .map((each) => (each.type === 'array' ? '' : cellOf(each, name)))
      .filter((text) => text !== '')
      .join('\n')
  const rendered = textIn(node, 'rendered')
  // Titles of WordPress are HTML, too. Their references are decoded like those of any title.
  if (rendered !== '') return name === 'title' ? rendered.replace(/<\/?[a-z][^<>]*>/gi, '') : rendered
  const text = textIn(node, ...nameMembers, name) || textOf(node)
  return isTimeName(name) ? (unixTime(Number(text)) ?? text) : text
}

const isTimeName = (name: string) =>
  /\b(?:(?:start|begin|end)s?|(?:start|end)?(?:time|date)|datetime)\b/.test(normalizeHeader(name))

/** A Unix time in seconds or milliseconds, from 2001 to 2100, as an ISO timestamp in UTC. */
function unixTime(value: number): string | undefined {
  const ms = value < 1e11 ? value * 1_000 : value
  return ms >= 1e12 && ms < 4.1e12 ? new Date(ms).toISOString() : undefined
}

const keyOf = (resource: JsonNode | undefined) => `${textIn(resource, 'type')}/${textIn(resource, 'id')}`

/** Longer than any name, which every session may have. */
const maxNameLength = 1_000

/** The names of the records that a JSON:API file includes, by type and id. */
const namesById = (root: JsonNode): Map<string, string> =>
  new Map(
    items(member(root, 'included')).map((each) => [
      keyOf(each),
      truncate(textIn(member(each, 'attributes'), ...nameMembers), maxNameLength),
    ]),
  )

/** The names of related records, or their ids in a column that is named so. */
function relationship(name: string, data: JsonNode | undefined, included: ReadonlyMap<string, string>): NamedCell {
  const related = data?.type === 'array' ? items(data) : data ? [data] : []
  const names = related.flatMap((each) => included.get(keyOf(each)) ?? [])
  if (names.length > 0) return [name, names.join('\n')]
  return [related.length > 0 ? `${name}_ids` : name, related.map((each) => textIn(each, 'id')).join('\n')]
}
