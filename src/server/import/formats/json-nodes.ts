import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { Remark } from '../source.ts'
import { lineFinder } from './lines.ts'

export type JsonNode = Node

export interface JsonFile {
  root: JsonNode
  /** 1-based line at which a node starts. */
  line(node: JsonNode): number
}

const mistakes: Record<string, string> = {
  CommaExpected: 'a comma is missing',
  ColonExpected: 'a colon is missing',
  PropertyNameExpected: 'a member name in double quotes is missing',
  ValueExpected: 'a value is missing',
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  EndOfFileExpected: 'there is more text after the end of the data',
  UnexpectedEndOfString: 'a string is not closed',
  InvalidCharacter: 'a string holds a control character',
  InvalidEscapeCharacter: 'a string holds an unknown escape',
  InvalidUnicode: 'a string holds an incomplete \\u escape',
  InvalidNumberFormat: 'a number is malformed',
}

/**
 * Reads JSON so that everything in it knows its line.
 *
 * @returns the tree, or the first mistake with its line; never throws
 */
export function readJson(text: string): JsonFile | Remark {
  const lineAt = lineFinder(text)
  const errors: ParseError[] = []
  try {
    const root = parseTree(text, errors, { disallowComments: true })
    const [first] = errors
    if (root && !first) return { root, line: (node) => lineAt(node.offset) }
    const mistake = mistakes[first ? printParseErrorCode(first.error) : ''] ?? 'something here is not JSON'
    return { line: lineAt(first?.offset ?? 0), reason: `The file is not valid JSON: ${mistake}.` }
  } catch {
    // The parser descends once for each level, so that only absurd nesting overflows its stack.
    return { line: 1, reason: 'The file is not usable JSON: it nests too deeply.' }
  }
}

/** The members of an object in their order; none for anything else. */
export function entries(node: JsonNode | undefined): { name: string; value: JsonNode }[] {
  if (node?.type !== 'object') return []
  return (node.children ?? []).flatMap(({ children: [name, value] = [] }) =>
    name && value ? [{ name: String(name.value), value }] : [],
  )
}

/** A member of an object; `undefined` where it is absent or null, or the node is no object. */
export function member(node: JsonNode | undefined, name: string): JsonNode | undefined {
  if (node?.type !== 'object') return undefined
  const value = node.children?.findLast(({ children }) => children?.[0]?.value === name)?.children?.[1]
  return value?.type === 'null' ? undefined : value
}

/** The elements of an array; none for anything else. */
export const items = (node: JsonNode | undefined): JsonNode[] => (node?.type === 'array' ? (node.children ?? []) : [])

/**
 * The text of a value: a string or number as it is, and of a text in several languages (`{"en": …, "de": …}`) the English
 * one, else the first that is not empty; `''` for anything else.
 */
export function textOf(node: JsonNode | undefined): string {
  if (node?.type === 'string' || node?.type === 'number') return String(node.value)
  if (node?.type !== 'object') return ''
  const english = member(node, 'en')
  const all = [...(english ? [english] : []), ...(node.children ?? []).map(({ children }) => children?.[1])]
  return String(all.find((value) => value?.type === 'string' && value.value !== '')?.value ?? '')
}

/** The text of the first of these members that has one. */
export function textIn(node: JsonNode | undefined, ...names: string[]): string {
  for (const name of names) {
    const text = textOf(member(node, name))
    if (text !== '') return text
  }
  return ''
}
