import type { DraftEvent } from '../../../../contract/editing.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { type Html, html } from '../html.ts'
import type { ConsoleRequest } from './console.ts'
import { checkField, fieldWith } from './fields.ts'
import { fieldOf, type ListEdit, type ListRow } from './list-edit.ts'

const { lists } = consoleText

/** The most sessions that are named where a record is in use. */
const mostNamed = 20

interface ListForm {
  request: ConsoleRequest
  path: string
  /** The class of the form, which has its columns. */
  name: string
  hint: string
  edit: ListEdit
  /** Above the columns, on a wide screen. */
  heads: readonly string[]
  /** The fields of a row. */
  fields: (row: ListRow) => Html
  /** How many sessions are in each record. */
  counts: ReadonlyMap<string, number>
  /** The parameter with which the list of sessions shows those of a record. */
  filter: 'room' | 'track'
  uses: Uses
  inUse: string
}

/** The sessions that keep a record from being removed. */
export type Uses = ReadonlyMap<string, readonly { id: string; title: string }[]>

/** A list with a row for each record, and with empty rows at its end. */
export function listForm({ request: { base }, path, name, hint, edit, heads, ...rest }: ListForm): Html {
  const columns = [lists.place, ...heads]
  return html`${edit.isReordered && html`<p class="notice warn">${lists.reordered}</p>\n`}<p class="quiet">${hint}</p>
<form class="list ${name}" method="post" action="${base}${path}" data-edit id="field-${name}">
${edit.hidden}
<div class="list-head" aria-hidden="true">${columns.map((column) => html`<span>${column}</span>`)}</div>
${edit.rows.map((row) => rowOf(row, base, edit, rest))}
<p class="actions save-bar"><button class="primary">${consoleText.save}</button></p>
</form>
`
}

function rowOf(
  row: ListRow,
  base: string,
  edit: ListEdit,
  { fields, counts, filter, uses, inUse }: Pick<ListForm, 'fields' | 'counts' | 'filter' | 'uses' | 'inUse'>,
): Html {
  const { key, id, change } = row
  const using = id === undefined ? undefined : uses.get(id)
  const count = counts.get(id ?? '') ?? 0
  const sessionsIn = (record: string) =>
    count === 0
      ? html`<span class="quiet">${lists.sessions(0)}</span>`
      : html`<a href="${base}/console/sessions?${filter}=${record}">${lists.sessions(count)}</a>`
  const name = String(edit.values[fieldOf('name', key)] ?? '')
  return html`<fieldset class="list-row">
<legend class="visually-hidden" dir="auto">${name || lists.fresh}</legend>
${change && html`<p class="theirs">${lists[change]}</p>\n`}${using && html`<div class="error"><p>${inUse}</p>\n<ul>${using.slice(0, mostNamed).map((event) => html`<li><a href="${base}/console/sessions/${event.id}" dir="auto">${event.title}</a></li>\n`)}${using.length > mostNamed && html`<li>${consoleText.more(using.length - mostNamed)}</li>`}</ul></div>\n`}${fieldWith(
  edit,
  { name: fieldOf('place', key), label: lists.place },
  ({ value, attributes }) =>
    html`<input${attributes} type="number" min="1" max="9999" value="${value}" autocomplete="off">`,
)}${fields(row)}<div class="list-end">${id === undefined ? html`<span class="quiet">${lists.fresh}</span>` : html`${sessionsIn(id)}\n${checkField(edit, { name: fieldOf('remove', key), label: lists.remove })}`}</div>
</fieldset>
`
}

/** How many sessions are in each room or track. */
export function countsBy(events: readonly DraftEvent[], member: 'room_id' | 'track_id'): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { [member]: id } of events) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

/**
 * The sessions in these rooms or tracks. Where there are none, those are meant that leave one only when they are
 * published: a draft does not say which.
 * @param removed the ids of what somebody has tried to remove
 */
export function usesOf(
  events: readonly DraftEvent[],
  member: 'room_id' | 'track_id',
  removed: readonly string[],
): Uses {
  const leaving = events.filter(({ is_published, changes }) => is_published && changes.includes(member))
  const uses = removed.map((record) => {
    const using = events.filter((event) => event[member] === record)
    return [record, using.length > 0 ? using : leaving] as const
  })
  return new Map(uses.filter(([, using]) => using.length > 0))
}
