import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { quote } from '../../../core/clean-text.ts'
import type { ImportWarning } from '../source.ts'
import { createLineFinder } from './lines.ts'
import type { FileValue } from './unused-values.ts'

export type JsonNode = Node

export interface JsonFile {
  root: JsonNode
  /** 1-based line on which a node starts. */
  line(node: JsonNode): number
}

const syntaxErrors: Record<string, string> = {
  CommaExpected: 'missing comma',
  ColonExpected: 'missing colon',
  PropertyNameExpected: 'missing property name in double quotes',
  ValueExpected: 'missing value',
  CloseBraceExpected: 'missing closing }',
  CloseBracketExpected: 'missing closing ]',
  EndOfFileExpected: 'unexpected text after the end of the data',
  UnexpectedEndOfString: 'unclosed string',
  InvalidCharacter: 'control character in a string',
  InvalidEscapeCharacter: 'unknown escape in a string',
  InvalidUnicode: 'incomplete \\u escape in a string',
  InvalidNumberFormat: 'malformed number',
}

/**
 * Parses JSON into a tree whose nodes can be located by line.
 *
 * @returns the tree, or a warning for the first syntax error; never throws
 */
export function readJson(text: string): JsonFile | ImportWarning {
  const lineAt = createLineFinder(text)
  const errors: ParseError[] = []
  try {
    const root = parseTree(text, errors, { disallowComments: true })
    const [first] = errors
    if (root && !first) return { root, line: (node) => lineAt(node.offset) }
    const syntaxError = syntaxErrors[first ? printParseErrorCode(first.error) : ''] ?? 'syntax error'
    return { line: lineAt(first?.offset ?? 0), message: `The file is not valid JSON: ${syntaxError}.` }
  } catch {
    // The parser recurses once per level, so only absurd nesting overflows the stack.
    return { line: 1, message: 'The JSON is nested too deeply.' }
  }
}

/** Texts, numbers and booleans that were read, and objects in which a member was looked for. */
const read = new WeakSet<JsonNode>()
/** What the members of an object are, if their names are data. */
const nouns = new WeakMap<JsonNode, string>()

/** A value and what was read of it. */
export const toFileValue = (node: JsonNode): FileValue => ({
  isRead: read.has(node),
  isFilled: node.type === 'string' ? node.value.trim() !== '' : node.type === 'number' || node.type === 'boolean',
  parts: () => [
    ...items(node).map((each) => ['', toFileValue(each)] as const),
    ...entries(node).map(({ name, value }) => [nouns.get(node) ?? name, toFileValue(value)] as const),
  ],
})

/** The members of an object, in order; empty for any other value. */
export function entries(node: JsonNode | undefined): { name: string; value: JsonNode }[] {
  if (node?.type !== 'object') return []
  return (node.children ?? []).flatMap(({ children: [name, value] = [] }) =>
    name && value ? [{ name: String(name.value), value }] : [],
  )
}

/**
 * The members of an object whose names are data, such as rooms by their names.
 * @param noun what each of them is, for messages
 */
export function entriesByKey(node: JsonNode | undefined, noun: string): ReturnType<typeof entries> {
  if (node) nouns.set(node, noun)
  return entries(node)
}

/** A member of an object; `undefined` if it is missing or null, or the node is not an object. */
export function member(node: JsonNode | undefined, name: string): JsonNode | undefined {
  if (node?.type !== 'object') return undefined
  read.add(node)
  const value = node.children?.findLast(({ children }) => children?.[0]?.value === name)?.children?.[1]
  return value?.type === 'null' ? undefined : value
}

/** The elements of an array; empty for any other value. */
export const items = (node: JsonNode | undefined): JsonNode[] => (node?.type === 'array' ? (node.children ?? []) : [])

/**
 * The text of a string or number. Of a text in several languages (`{"en": …, "de": …}`), the English one, else the
 * first non-empty one. `''` for any other value.
 */
export function textOf(node: JsonNode | undefined): string {
  if (node?.type === 'string' || node?.type === 'number') {
    read.add(node)
    return String(node.value)
  }
  const english = member(node, 'en')
  const all = [...(english ? [english] : []), ...entries(node).map(({ value }) => value)]
  const texts = all.filter(({ type }) => type === 'string')
  for (const text of texts) read.add(text)
  return String(texts.find(({ value }) => value !== '')?.value ?? '')
}

/** The value of a boolean; `undefined` for any other value. */
export function booleanOf(node: JsonNode | undefined): boolean | undefined {
  if (node?.type !== 'boolean') return undefined
  read.add(node)
  return node.value === true
}

/** The text of the first of these members with a non-empty text, or `''`. The others count as read, too. */
export const textIn = (node: JsonNode | undefined, ...names: string[]): string =>
  names.map((name) => textOf(member(node, name))).find((text) => text !== '') ?? ''

/** Whether a node is true, also as text. */
export const isTrue = (node: JsonNode | undefined): boolean => booleanOf(node) ?? textOf(node) === 'true'

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
