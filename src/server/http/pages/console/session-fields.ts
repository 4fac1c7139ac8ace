import type { Draft, DraftEvent } from '../../../../contract/editing.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { invalidField } from '../../../core/failure.ts'
import type { Fields } from '../form.ts'
import { type Html, html } from '../html.ts'
import type { Attempt, ConsoleRequest } from './console.ts'
import { type Edit, explainWith, type FormValues, readEdit, sentText } from './edit.ts'
import { editableText, htmlField, readHtmlField } from './editable-text.ts'
import { areaField, checkField, selectField, textField } from './fields.ts'
import { readSpeakers, speakerFields, speakerNames, speakersField } from './session-speakers.ts'

// The fields of a session, and what they mean.

const { session: words } = consoleText

/** What starts before this hour may belong to the day before. */
const nightEnds = 'T06:00'

/** What the form shows of a session; of a new one if it is undefined. */
export function sessionValues(event: DraftEvent | undefined, { speakers }: Pick<Draft, 'speakers'>): FormValues {
  const startsAt = event?.starts_at?.slice(0, 16) ?? ''
  const day = event?.day ?? ''
  const isAtNight = startsAt !== '' && (startsAt.slice(10) < nightEnds || day !== startsAt.slice(0, 10))
  return {
    title: onLine(event?.title),
    subtitle: onLine(event?.subtitle),
    starts_at: startsAt,
    ends_at: event?.ends_at?.slice(0, 16) ?? '',
    ...(isAtNight && { day }),
    room_id: event?.room_id ?? '',
    track_id: event?.track_id ?? '',
    [speakersField]: speakerNames(event?.speaker_ids ?? [], speakers),
    type: onLine(event?.type),
    language: onLine(event?.language),
    tags: onLine(writeTags(event?.tags ?? [])),
    description: editableText(event?.description ?? ''),
    details: editableText(event?.details ?? ''),
    links: (event?.links ?? []).map(writeLink).join('\n'),
    license: onLine(event?.license),
    do_not_record: event?.do_not_record ? 'true' : '',
  }
}

/** What a browser makes of a value in a field of one line; with more, a form that nobody has changed would seem to be changed. */
const onLine = (text = ''): string => text.replaceAll(/[\r\n]+/g, '')

/** The fields of {@link sessionValues}. */
export function sessionFields(
  edit: Edit,
  current: FormValues,
  { draft, event, attempt }: { draft: Draft; event?: DraftEvent; attempt?: Attempt | undefined },
): Html {
  const choices = (name: 'type' | 'language') =>
    [...new Set(draft.events.map((other) => other[name]))].filter((choice) => choice !== '').sort()
  const options = (list: readonly { id: string; name: string }[]) => [
    ['', words.none] as const,
    ...list.map(({ id, name }) => [id, name] as const),
  ]
  const suggestions = (name: 'type' | 'language') =>
    html`<datalist id="${name}s">${choices(name).map((choice) => html`<option value="${choice}"></option>`)}</datalist>\n`
  const text = (name: 'description' | 'details', rows: number) =>
    htmlField(edit, { name, label: words[name], rows, stored: event?.[name] ?? '' }, current, attempt)
  const hasEnd = current.ends_at !== ''
  return html`${textField(edit, { name: 'title', label: words.title, isRequired: true })}
${textField(edit, { name: 'subtitle', label: words.subtitle })}
<div class="pair"${hasEnd && html` data-moves-end`}>
${textField(edit, { name: 'starts_at', label: words.start, type: 'datetime-local' })}
${textField(edit, { name: 'ends_at', label: words.end, type: 'datetime-local', ...(hasEnd && { hint: words.endHint }) })}
</div>
${current.day !== undefined && textField(edit, { name: 'day', label: words.day, type: 'date', hint: words.dayHint })}
<div class="pair">
${selectField(edit, { name: 'room_id', label: words.room, options: options(draft.rooms.list) })}
${selectField(edit, { name: 'track_id', label: words.track, options: options(draft.tracks.list) })}
</div>
${speakerFields(edit, draft.speakers)}
${text('description', 8)}
${text('details', 4)}
<div class="pair">
${textField(edit, { name: 'type', label: words.type, list: 'types', hint: words.typeHint })}
${textField(edit, { name: 'language', label: words.language, list: 'languages', hint: words.languageHint })}
</div>
${suggestions('type')}${suggestions('language')}
${textField(edit, { name: 'tags', label: words.tags, hint: words.tagsHint })}
${areaField(edit, { name: 'links', label: words.links, rows: 3, hint: words.linksHint })}
${textField(edit, { name: 'license', label: words.license })}
${checkField(edit, { name: 'do_not_record', label: words.doNotRecord })}
`
}

/** Reads the form of a session: only what was changed in it. @throws NothingChanged, Failure VALIDATION_FAILED */
export async function readSession(sent: Fields, request: ConsoleRequest): Promise<Fields> {
  const { [speakersField]: speakers, tags, links, description, details, ...others } = readEdit()(sent)
  return {
    ...others,
    // An end that was left alone moves with the start, unless the form has shown where to.
    ...(sent.shows_end === 'true' && others.starts_at !== undefined && { ends_at: sentText(sent, 'ends_at') }),
    // 0 is none.
    ...(others.room_id === '' && { room_id: '0' }),
    ...(others.track_id === '' && { track_id: '0' }),
    ...(others.do_not_record === '' && { do_not_record: 'false' }),
    ...(speakers !== undefined && {
      [speakersField]: readSpeakers(speakers, (await request.read('getDraft', {})).draft.speakers),
    }),
    ...(tags !== undefined && { tags: readTags(String(tags)) }),
    ...(links !== undefined && { links: readLinks(String(links), sent) }),
    ...(description !== undefined && { description: readHtmlField(sent, 'description', description) }),
    ...(details !== undefined && { details: readHtmlField(sent, 'details', details) }),
  }
}

export const explainSession = explainWith({
  title: words.title,
  subtitle: words.subtitle,
  starts_at: words.start,
  ends_at: words.end,
  day: words.day,
  room_id: words.room,
  track_id: words.track,
  type: words.type,
  language: words.language,
  tags: words.tags,
  links: words.links,
  description: words.description,
  details: words.details,
  license: words.license,
})

/** A tag with a comma or a quotation mark is quoted, as in CSV. */
const writeTags = (tags: readonly string[]): string =>
  tags.map((tag) => (/[",]/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)).join(', ')

export function readTags(text: string): string[] {
  const tags = [...text.matchAll(/\s*(?:"((?:[^"]|"")*)"\s*|([^,]*))(?:,|$)/gy)].map(
    ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain.trim(),
  )
  return [...new Set(tags)].filter((tag) => tag !== '')
}

type Link = NonNullable<DraftEvent['links']>[number]

/** A link on a line: its title, and its address behind. */
const writeLink = ({ title, url }: Link): string => `${onLine(title)} ${url}`.trim()

/** What the form does not show of each link, by its address. */
const relsIn = ({ link_rels: rels }: Fields): Readonly<Record<string, string>> => {
  try {
    return Object(JSON.parse(String(rels)))
  } catch {
    return {}
  }
}

/** The hidden field of a form with links: whether one is for feedback, and so on. */
export const linkRels = (event: DraftEvent | undefined): Html | undefined => {
  const rels = (event?.links ?? []).flatMap(({ rel, url }) => (rel === '' ? [] : [[url, rel]]))
  if (rels.length === 0) return undefined
  return html`<input type="hidden" name="link_rels" value="${JSON.stringify(Object.fromEntries(rels))}">`
}

/** @throws Failure VALIDATION_FAILED for a line without an address */
function readLinks(text: string, sent: Fields): Link[] {
  const rels = relsIn(sent)
  return text.split('\n').flatMap((line, at) => {
    const trimmed = line.trim()
    if (trimmed === '') return []
    // An expression that looks for the last word takes quadratic time.
    const url = trimmed.split(/\s+/).at(-1) ?? ''
    const title = trimmed.slice(0, trimmed.length - url.length).trimEnd()
    if (!/^https?:\/\/./i.test(url) || !URL.canParse(url))
      throw invalidField('links', 'NOT_A_URL', words.linkWithoutAddress(at + 1))
    return [{ rel: Object.hasOwn(rels, url) ? String(rels[url]) : '', title, url }]
  })
}
