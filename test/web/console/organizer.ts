import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { expect } from 'vitest'
import type { Role } from '../../../src/contract/access.ts'
import { type SignedIn, signInAsOrganizer } from '../../access/sessions.ts'
import type { TestApp } from '../../app.ts'
import { attributeOf, elementsIn, findMarkupProblems, textOf } from '../markup.ts'
import { type ReadPage, readPage, wordsOf } from '../read-page.ts'

type Element = DefaultTreeAdapterTypes.Element

/** What is typed, chosen or ticked in a form, by the names of fields; a list for boxes of one name. */
type Entries = Readonly<Record<string, string | readonly string[] | File | readonly File[]>>

/** The page after a form was sent: that of a redirect is followed. */
interface Sent extends ReadPage {
  path: string
}

/** An organizer who uses the console without script, as a browser does. */
export interface Organizer extends SignedIn {
  email: string
  /** Opens a page, which has to be sound. */
  open(path: string): Promise<ReadPage>
  /**
   * Fills in the form with this button on a page, and sends it. Fields that are not named keep what they have.
   * @param page its path, or the page as it was read before
   */
  submit(page: string | ReadPage, button: string, entries?: Entries): Promise<Sent>
}

export async function signInToConsole(
  t: TestApp,
  email = 'eva@summit.example',
  roles: readonly Role[] = ['owner'],
): Promise<Organizer> {
  const signedIn = await signInAsOrganizer(t, email, roles)
  const open = async (path: string) => {
    const page = await readPage(t, path, signedIn.headers)
    if (page.status < 300) expect(findMarkupProblems(page.text), path).toEqual([])
    return page
  }
  return {
    ...signedIn,
    email,
    open,
    submit: async (page, button, entries = {}) => {
      const { text } = typeof page === 'string' ? await open(page) : page
      const { action, body } = fill(formWith(text, button), button, entries)
      const response = await fetch(new URL(action, t.url), {
        method: 'POST',
        redirect: 'manual',
        headers: { accept: 'text/html', origin: t.url, ...signedIn.headers },
        body,
      })
      const location = response.headers.get('location')
      if (location !== null) return { ...(await open(location)), path: location }
      const shown = await response.text()
      if (shown.startsWith('<!doctype')) expect(findMarkupProblems(shown), action).toEqual([])
      const { status, headers } = response
      return { status, headers, text: shown, words: wordsOf(shown), location, path: action }
    },
  }
}

/** @throws Error if there is none, or several */
function formWith(page: string, button: string): Element {
  const forms = [...elementsIn(parse(page))].filter(
    (element) => element.tagName === 'form' && buttonOf(element, button) !== undefined,
  )
  const [form] = forms
  if (!form || forms.length > 1) throw new Error(`${forms.length} forms have a button “${button}”`)
  return form
}

const buttonOf = (form: Element, name: string): Element | undefined =>
  [...elementsIn(form)].find(
    (element) =>
      element.tagName === 'button' && (attributeOf(element, 'aria-label') ?? textOf(element).trim()) === name,
  )

/** The fields of a form as a browser would send them. @throws Error for an entry without a field */
function fill(form: Element, button: string, entries: Entries): { action: string; body: FormData | URLSearchParams } {
  const values: [string, string | File][] = []
  const known = new Set<string>()
  for (const field of elementsIn(form)) {
    const name = attributeOf(field, 'name')
    if (name === undefined || attributeOf(field, 'disabled') !== undefined) continue
    const isFirst = !known.has(name)
    known.add(name)
    const entry = entries[name]
    const type = attributeOf(field, 'type')
    const own = attributeOf(field, 'value') ?? ''
    if (field.tagName === 'button') {
      if (field === buttonOf(form, button)) values.push([name, own])
    } else if (type === 'checkbox' || type === 'radio') {
      const isTicked =
        entry === undefined ? attributeOf(field, 'checked') !== undefined : [entry].flat().includes(own || 'on')
      if (isTicked) values.push([name, own || 'on'])
    } else if (entry === undefined) values.push(...shownIn(field, name, own))
    else if (isFirst) values.push(...[entry].flat().map((value): [string, string | File] => [name, value]))
  }
  const unknown = Object.keys(entries).filter((name) => !known.has(name))
  if (unknown.length > 0) throw new Error(`the form has no field ${unknown.join(', ')}`)
  const action = attributeOf(buttonOf(form, button) ?? form, 'formaction') ?? attributeOf(form, 'action') ?? ''
  if (attributeOf(form, 'enctype') !== 'multipart/form-data')
    return { action, body: new URLSearchParams(values as [string, string][]) }
  const body = new FormData()
  for (const [name, value] of values) body.append(name, value)
  return { action, body }
}

/** What a field shows already. */
function shownIn(field: Element, name: string, value: string): [string, string][] {
  if (field.tagName === 'textarea') {
    const text = field.childNodes.map((node) => ('value' in node ? node.value : '')).join('')
    return [[name, text.replaceAll('\n', '\r\n')]]
  }
  if (field.tagName === 'input') return attributeOf(field, 'type') === 'file' ? [] : [[name, value]]
  if (field.tagName !== 'select') return []
  const options = [...elementsIn(field)].filter(({ tagName }) => tagName === 'option')
  const selected = options.filter((option) => attributeOf(option, 'selected') !== undefined)
  const isMultiple = attributeOf(field, 'multiple') !== undefined
  const shown = isMultiple || selected.length > 0 ? selected : options.slice(0, 1)
  return shown.map((option) => [name, attributeOf(option, 'value') ?? textOf(option)])
}
