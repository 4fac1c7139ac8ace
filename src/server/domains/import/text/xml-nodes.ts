import { parseXml, XmlCdata, XmlElement, XmlError, XmlText } from '@rgrove/parse-xml'
import type { ImportWarning } from '../source.ts'
import { createLineFinder } from './lines.ts'
import type { FileValue } from './unused-values.ts'

export interface XmlFile {
  root: XmlElement
  /** 1-based line on which an element starts. */
  line(element: XmlElement): number
}

/**
 * The beginning up to the XML declaration, which may only come first: servers and templates put blank lines, byte order
 * marks or comments before it.
 */
const prolog = /^(?:\s+|<!--[\s\S]*?-->)*(?:<\?xml\s[\s\S]*?\?>)?/

/**
 * Parses XML into a tree whose elements can be located by line. The parser supports only the five predefined entities
 * and fetches nothing, so entity attacks are not possible.
 *
 * @returns the tree, or a warning for the first syntax error; never throws
 */
export function readXml(text: string): XmlFile | ImportWarning {
  try {
    // Blanked rather than removed, to keep the offsets. The encoding that it declares has been used.
    const body = text.replace(prolog, (all) => all.replace(/[^\r\n]/g, ' '))
    const { root } = parseXml(body, { includeOffsets: true })
    if (!root) return { line: 1, message: 'The XML file is empty.' }
    if (isDeeperThan(maxDepth, root)) return tooDeep
    const lineAt = createLineFinder(text)
    return { root, line: ({ start }) => lineAt(start) }
  } catch (error) {
    // The parser recurses once per level, so only absurd nesting overflows the stack.
    if (!(error instanceof XmlError)) return tooDeep
    const [syntaxError = ''] = error.message.split(/ \(line |\n/)
    return { line: error.line, message: `The file is not valid XML: ${syntaxError}.` }
  }
}

/** Readers may recurse so deep, and the parser collects the text of an element so; real files have a dozen levels. */
const maxDepth = 1_000

const tooDeep: ImportWarning = { line: 1, message: 'The XML is nested too deeply.' }

function isDeeperThan(depth: number, root: XmlElement): boolean {
  let level = [root]
  for (let at = 0; at <= depth && level.length > 0; at++) level = level.flatMap((each) => elements(each))
  return level.length > 0
}

/** The child elements, in order. */
export const elements = (element: XmlElement | undefined): XmlElement[] =>
  (element?.children ?? []).filter((each): each is XmlElement => each instanceof XmlElement)

/** Elements of which the text was read. */
const read = new WeakSet<XmlElement>()
/** The attributes that were read of the elements in which an attribute or element was looked for. */
const readAttributes = new WeakMap<XmlElement, Set<string>>()

function lookInto(element: XmlElement): Set<string> {
  const names = readAttributes.get(element) ?? new Set()
  readAttributes.set(element, names)
  return names
}

/** The child elements of a name, in order. */
export function children(element: XmlElement | undefined, name: string): XmlElement[] {
  if (element) lookInto(element)
  return elements(element).filter((each) => each.name === name)
}

/** The first child element of a name. */
export const child = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  children(element, name)[0]

/** The text of an element and its descendants; `''` without an element. */
export function textOf(element: XmlElement | undefined): string {
  if (element) read.add(element)
  return element?.text ?? ''
}

/** The text of an attribute; `''` if it is missing. */
export function attributeOf(element: XmlElement | undefined, name: string): string {
  if (!element) return ''
  lookInto(element).add(name)
  return element.attributes[name] ?? ''
}

/** Attributes that say how to read the file. */
const syntactic = /^(?:xmlns|xsi|xml)(?::|$)/

/** An element, and what was read of it. */
export const toFileValue = (element: XmlElement): FileValue => ({
  isRead: read.has(element) || readAttributes.has(element),
  isFilled: element.children.some(
    (each) => (each instanceof XmlText || each instanceof XmlCdata) && each.text.trim() !== '',
  ),
  parts: () => [
    ...Object.entries(element.attributes)
      .filter(([name]) => !syntactic.test(name))
      .map(([name, text]) => {
        const isRead = readAttributes.get(element)?.has(name) ?? false
        return [name, { isRead, isFilled: text.trim() !== '', parts: () => [] }] as const
      }),
    // The text of an element has that of those in it.
    ...(read.has(element) ? [] : elements(element)).map((each) => [each.name, toFileValue(each)] as const),
  ],
})
