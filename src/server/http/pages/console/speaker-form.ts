import type { DraftSpeaker } from '../../../../contract/editing.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import type { Failure } from '../../../core/failure.ts'
import type { ReadForm } from '../../request/input.ts'
import type { Fields } from '../form.ts'
import { type Html, html } from '../html.ts'
import type { Attempt } from './console.ts'
import { explain, openEdit, readEdit, sentText } from './edit.ts'
import { editableText, htmlField, readHtmlField } from './editable-text.ts'
import { keyField, textField } from './fields.ts'

const { speaker: words } = consoleText

/** How many empty rows for links there are. */
const emptyLinks = 2

const linkName = (member: string, at: number | string): string => `link_${member}-${at}`

/**
 * A form for a speaker.
 * @param action where it is sent, with the base
 * @param speaker undefined for a new one
 */
export function speakerForm(action: string, speaker: DraftSpeaker | undefined, attempt: Attempt | undefined): Html {
  const { name = '', position = '', company = '', biography = '', links = [] } = speaker ?? {}
  const rows = Math.max(links.length, attempt ? 1 + Math.max(-1, ...linksIn(attempt.sent).map(({ at }) => at)) : 0)
  const all = Array.from({ length: rows + emptyLinks }, (_, at) => links[at] ?? { title: '', url: '' })
  const linkValues = all.flatMap(({ title, url }, at) => [
    [linkName('title', at), title],
    [linkName('url', at), url],
  ])
  const values = { name, position, company, biography: editableText(biography), ...Object.fromEntries(linkValues) }
  const edit = openEdit(values, speaker?.revision, attempt)
  return html`<form class="card" method="post" action="${action}" data-edit>
${edit.hidden}${!speaker && keyField(attempt)}
${textField(edit, { name: 'name', label: words.name, isRequired: true })}
${textField(edit, { name: 'position', label: words.position })}
${textField(edit, { name: 'company', label: words.company })}
${htmlField(edit, { name: 'biography', label: words.biography, rows: 8, stored: biography }, values, attempt)}
<fieldset class="field"><legend>${words.links}</legend>
${all.map((_, at) => html`<div class="link-row">${textField(edit, { name: linkName('title', at), label: words.linkTitle(at + 1) })}${textField(edit, { name: linkName('url', at), label: words.linkUrl(at + 1), type: 'url' })}</div>\n`)}<p class="hint">${words.linksHint}</p>
</fieldset>
<p class="actions"><button class="primary">${speaker ? consoleText.save : words.create}</button></p>
</form>
`
}

/** The links of a form that was sent, without empty rows. */
const linksIn = (sent: Fields): { at: number; title: string; url: string }[] =>
  Object.keys(sent).flatMap((field) => {
    const [, at] = /^link_url-(\d{1,3})$/.exec(field) ?? []
    if (at === undefined) return []
    const link = { title: sentText(sent, linkName('title', at)), url: sentText(sent, field).trim() }
    return link.url === '' ? [] : [{ at: Number(at), ...link }]
  })

/** Reads a form of {@link speakerForm}. Links are sent as a whole, if one was changed. */
export const readSpeaker: ReadForm = (sent) =>
  readEdit((changed) => {
    const isLink = (field: string) => field.startsWith('link_')
    const members = Object.entries(changed).filter(([field]) => !isLink(field))
    const links = linksIn(sent).map(({ title, url }) => ({ title, url }))
    const { biography, ...others } = Object.fromEntries(members)
    return {
      ...others,
      ...(biography !== undefined && { biography: readHtmlField(sent, 'biography', biography) }),
      ...(Object.keys(changed).some(isLink) && { links }),
    }
  })(sent)

const labels: Readonly<Record<string, string>> = {
  name: words.name,
  position: words.position,
  company: words.company,
  biography: words.biography,
}

export const explainSpeaker = (failure: Failure, sent: Fields): Failure =>
  explain(failure, (field) => {
    const [, place, member] = /^links\[(\d+)\]\.(title|url)$/.exec(field) ?? []
    const label = labels[field]
    if (member === undefined) return label === undefined ? undefined : { name: field, label }
    const at = linksIn(sent)[Number(place)]?.at ?? 0
    return { name: linkName(member, at), label: (member === 'url' ? words.linkUrl : words.linkTitle)(at + 1) }
  })
