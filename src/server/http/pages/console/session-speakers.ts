import type { Draft } from '../../../../contract/editing.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { bodyField, Failure } from '../../../core/failure.ts'
import { fold } from '../../../core/folded-text.ts'
import { aboutOf } from '../attendee/persons.ts'
import { type Html, html } from '../html.ts'
import type { Edit } from './edit.ts'
import { fieldWith } from './fields.ts'

// The speakers of a session are a list of names, each in a field of its own: there may be hundreds to choose from.

const { session: words } = consoleText

type Speakers = Draft['speakers']

/** The member of the operation, of which the form has the names. */
export const speakersField = 'speaker_ids'

/** Empty fields below those of the speakers of a session. */
const moreFields = 3

/** By the id of each speaker, the name by which forms know them: with the id where others have that name, too. */
function labelsOf(speakers: Speakers): ReadonlyMap<string, string> {
  const named = Map.groupBy(speakers, ({ name }) => fold(name))
  return new Map(
    speakers.map(({ id, name }) => [
      id,
      name === '' || (named.get(fold(name))?.length ?? 0) > 1 ? `${name} (${id})` : name,
    ]),
  )
}

/** What the fields have for the speakers of a session. */
export function speakerNames(ids: readonly string[], speakers: Speakers): string[] {
  const labels = labelsOf(speakers)
  return [...ids.map((id) => labels.get(id) ?? `(${id})`), ...Array<string>(moreFields).fill('')]
}

const typedIn = (value: unknown): string[] =>
  [value].flat().flatMap((name) => (typeof name === 'string' && name.trim() !== '' ? [name.trim()] : []))

/** The speakers that were named, or why a name is none. */
function findSpeakers(value: unknown, speakers: Speakers) {
  const labels = labelsOf(speakers)
  const byLabel = new Map([...labels].map(([id, label]) => [label, id]))
  const byName = Map.groupBy(speakers, ({ name }) => fold(name))
  return typedIn(value).map((name) => {
    const id = byLabel.get(name)
    const found = id === undefined ? (byName.get(fold(name)) ?? []).map((speaker) => speaker.id) : [id]
    return { name, ids: found, labels: found.map((one) => labels.get(one) ?? one) }
  })
}

/** @throws Failure VALIDATION_FAILED for a name of nobody, and for one of several */
export function readSpeakers(value: unknown, speakers: Speakers): string[] {
  const found = findSpeakers(value, speakers)
  const wrong = found.filter(({ ids }) => ids.length !== 1)
  if (wrong.length > 0) {
    const message = wrong
      .map(({ name, labels }) =>
        labels.length === 0 ? words.unknownSpeaker(name) : words.severalSpeakers(name, labels),
      )
      .join(' ')
    throw new Failure('VALIDATION_FAILED', { fields: [bodyField(speakersField, 'UNKNOWN', message)] })
  }
  return [...new Set(found.flatMap(({ ids }) => ids))]
}

/** The names in a form of those who are no speakers yet. */
export const unknownSpeakers = (edit: Edit, speakers: Speakers): string[] =>
  edit.errors.has(speakersField)
    ? findSpeakers(edit.values[speakersField], speakers).flatMap(({ name, ids }) => (ids.length === 0 ? [name] : []))
    : []

/** A field for each speaker, and some more. */
export function speakerFields(edit: Edit, speakers: Speakers): Html {
  const labels = labelsOf(speakers)
  return html`${fieldWith(
    edit,
    { name: speakersField, label: words.speakers, hint: words.speakersHint },
    ({ values, attributes }) => {
      const shown = [...values.filter((name) => name.trim() !== ''), ...Array<string>(moreFields).fill('')]
      return html`<div class="names">${shown.map(
        (name, at) =>
          html`<input${at === 0 ? attributes : html` name="${speakersField}" aria-label="${words.speaker(at + 1)}"`} value="${name}" list="speakers" dir="auto" autocomplete="off">\n`,
      )}</div>`
    },
  )}<datalist id="speakers">${speakers.map((speaker) => html`<option value="${labels.get(speaker.id)}">${aboutOf(speaker)}</option>`)}</datalist>
`
}
