import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { ImportWarning } from '../source.ts'
import { quote } from './clean.ts'
import { createLineFinder } from './lines.ts'

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

/** The members of an object, in order; empty for any other value. */
export function entries(node: JsonNode | undefined): { name: string; value: JsonNode }[] {
  if (node?.type !== 'object') return []
  return (node.children ?? []).flatMap(({ children: [name, value] = [] }) =>
    name && value ? [{ name: String(name.value), value }] : [],
  )
}

/** A member of an object; `undefined` if it is missing or null, or the node is not an object. */
export function member(node: JsonNode | undefined, name: string): JsonNode | undefined {
  if (node?.type !== 'object') return undefined
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
  if (node?.type === 'string' || node?.type === 'number') return String(node.value)
  if (node?.type !== 'object') return ''
  const english = member(node, 'en')
  const all = [...(english ? [english] : []), ...(node.children ?? []).map(({ children }) => children?.[1])]
  return String(all.find((value) => value?.type === 'string' && value.value !== '')?.value ?? '')
}

/** The text of the first of these members with a non-empty text, or `''`. */
export function textIn(node: JsonNode | undefined, ...names: string[]): string {
  for (const name of names) {
    const text = textOf(member(node, name))
    if (text !== '') return text
  }
  return ''
}

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
