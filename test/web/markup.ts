import { type DefaultTreeAdapterTypes, type ParserError, parse } from 'parse5'

type Element = DefaultTreeAdapterTypes.Element
type Node = DefaultTreeAdapterTypes.Node

/** They have no end tag (HTML, 13.1.2). */
const voidElements = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))

const fields = new Set(['input', 'select', 'textarea'])

/** The attributes that name other elements of the page. */
const references = ['for', 'aria-labelledby', 'aria-describedby', 'aria-controls', 'form', 'list']

/** The schemes of links and forms; pictures of ours have none. */
const schemes = /^(?:https?|mailto|tel):/i

/** What a strict reader finds wrong with a page, each in a sentence. */
export function findMarkupProblems(page: string): string[] {
  const problems: string[] = []
  const onParseError = ({ code, startLine, startCol }: ParserError) =>
    problems.push(`parse error ${code} at ${startLine}:${startCol}: ${page.split('\n')[startLine - 1]?.slice(0, 200)}`)
  const document = parse(page, { onParseError, sourceCodeLocationInfo: true })
  const elements = [...elementsIn(document)]
  const named = (name: string) => elements.filter(({ tagName }) => tagName === name)
  const only = (name: string) => {
    const found = named(name)
    if (found.length !== 1) problems.push(`${found.length} elements ${name}`)
    return found[0]
  }
  const root = only('html')
  if (!root || !/^[a-z]{2}/.test(attributeOf(root, 'lang') ?? '')) problems.push('no language')
  if (textOf(only('title')) === '') problems.push('no title')
  if (textOf(only('h1')) === '') problems.push('an empty h1')
  only('main')
  const ids = elements.flatMap((element) => attributeOf(element, 'id') ?? [])
  for (const id of ids.filter((id, index) => ids.indexOf(id) !== index)) problems.push(`the id ${id} twice`)
  const labels = new Set(named('label').flatMap((label) => attributeOf(label, 'for') ?? []))
  for (const element of elements) problems.push(...problemsOf(element, new Set(ids), labels))
  return problems
}

function problemsOf(element: Element, ids: Set<string>, labels: Set<string>): string[] {
  const { tagName, attrs, sourceCodeLocation } = element
  const problems: string[] = []
  const describe = (problem: string) => problems.push(`${problem}: ${describeTag(element)}`)
  // What the parser adds or closes by itself was left out, or is where it may not be.
  if (!sourceCodeLocation?.startTag) describe('an element that is not in the source')
  else if (!voidElements.has(tagName) && isHtml(element) && !sourceCodeLocation.endTag)
    describe('an element that is not closed')
  for (const { name, value } of attrs) {
    if (name.startsWith('on')) describe('a handler inline')
    if (name === 'style') describe('a style inline')
    if (references.includes(name))
      for (const id of value.split(/\s+/)) if (!ids.has(id)) describe(`no element with the id ${id}`)
    if (['href', 'src', 'action', 'formaction'].includes(name) && /^[^/?#]*:/.test(value) && !schemes.test(value))
      if (!(tagName === 'link' && value === 'data:,')) describe('a link of another scheme')
  }
  if (tagName === 'img') {
    if (attributeOf(element, 'alt') === undefined) describe('no text for a picture')
    if (!attributeOf(element, 'src')?.startsWith('/')) describe('a picture of another site')
  }
  if (fields.has(tagName) && attributeOf(element, 'type') !== 'hidden' && !hasLabel(element, labels))
    describe('no label')
  if (
    (tagName === 'a' || tagName === 'button') &&
    nameOf(element) === '' &&
    attributeOf(element, 'data-star') === undefined
  )
    describe('no name')
  return problems
}

const isHtml = ({ namespaceURI }: Element): boolean => namespaceURI === 'http://www.w3.org/1999/xhtml'

const hasLabel = (element: Element, labels: Set<string>): boolean =>
  labels.has(attributeOf(element, 'id') ?? '') ||
  ['aria-label', 'aria-labelledby'].some((name) => attributeOf(element, name)) ||
  ancestorsOf(element).some(({ tagName }) => tagName === 'label')

/** What is read for it: its text, its label, or that of a picture in it. */
const nameOf = (element: Element): string =>
  (attributeOf(element, 'aria-label') ?? '') +
  textOf(element) +
  [...elementsIn(element)].map((inner) => attributeOf(inner, 'alt') ?? '').join('')

export const attributeOf = ({ attrs }: Element, wanted: string): string | undefined =>
  attrs.find(({ name }) => name === wanted)?.value

export function* elementsIn(node: Node): Generator<Element> {
  for (const child of 'childNodes' in node ? node.childNodes : []) {
    if ('tagName' in child) yield child
    yield* elementsIn(child)
  }
}

function ancestorsOf({ parentNode }: Element): Element[] {
  return parentNode && 'tagName' in parentNode ? [parentNode, ...ancestorsOf(parentNode)] : []
}

export const textOf = (node: Node | undefined): string =>
  node === undefined
    ? ''
    : 'value' in node
      ? node.value.trim()
      : 'childNodes' in node
        ? node.childNodes.map(textOf).join('')
        : ''

const describeTag = ({ tagName, attrs }: Element): string =>
  `<${[tagName, ...attrs.map(({ name, value }) => `${name}="${value.slice(0, 80)}"`)].join(' ')}>`
