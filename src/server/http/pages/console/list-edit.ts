import type { Failure } from '../../../core/failure.ts'
import type { ReadForm } from '../../request/input.ts'
import type { Fields } from '../form.ts'
import { html } from '../html.ts'
import type { Attempt } from './console.ts'
import { type Edit, explain, isChanged, openEdit, readEdit, sentText } from './edit.ts'

// A list that is saved as a whole, as rooms are. Its fields are named for the record of their row and not for its place,
// since another organizer may add and remove rows meanwhile.

/** The members of a row, of which the first is its name. */
type Members = readonly ['name', ...string[]]

type Values = Readonly<Record<string, string>>

export interface ListRow {
  key: string
  /** Undefined for a new one. */
  id: string | undefined
  /** What somebody else has done with it since the form was shown. */
  change: 'added' | 'removed' | undefined
}

export interface ListEdit extends Edit {
  rows: readonly ListRow[]
  /** Whether somebody else has changed the order. */
  isReordered: boolean
}

interface List {
  members: Members
  revision: number
  stored: readonly { id: string; values: Values }[]
  /** What a new row has; by default, nothing. */
  blank?: Values
}

/** The name of a field of a row. */
export const fieldOf = (member: string, key: string): string => `${member}-${key}`

const newKeys = ['new1', 'new2']

/** A form that edits a list. */
export function openList({ members, revision, stored, blank = {} }: List, attempt?: Attempt): ListEdit {
  const sent = attempt?.failure ? attempt.sent : undefined
  const shown = sent ? shownIn(sent) : []
  const sentRows = sent ? rowsIn(sent, members) : []
  const ids = stored.map(({ id }) => id)
  // What somebody has typed of a record that another has removed becomes a new row.
  const again = sentRows
    .filter(({ id, isEmpty, isTyped }) => id !== undefined && !ids.includes(id) && isTyped && !isEmpty)
    .map((row) => ({ ...row, key: `again${row.key}` }))
  const fresh = sent ? sentRows.flatMap(({ id, key }) => (id === undefined ? [key] : [])) : newKeys
  const rows: ListRow[] = [
    ...ids.map((id) => ({ key: id, id, change: sent && !shown.includes(id) ? ('added' as const) : undefined })),
    ...again.map(({ key }) => ({ key, id: undefined, change: 'removed' as const })),
    ...fresh.map((key) => ({ key, id: undefined, change: undefined })),
  ]
  const nothing = Object.fromEntries(members.map((member) => [member, '']))
  const current = Object.fromEntries([
    ...stored.flatMap(({ id, values }, at) => fieldsOf(id, { ...values, place: String(at + 1) })),
    ...again.flatMap(({ key }) => fieldsOf(key, nothing)),
    ...fresh.flatMap((key) => fieldsOf(key, { ...nothing, ...blank })),
  ])
  const edit = openEdit(current, revision, attempt)
  const typedAgain = Object.fromEntries(again.flatMap(({ key, values }) => fieldsOf(key, values)))
  // Each row behind one that was added has another place.
  const isPlace = (name: string) => name.startsWith('place-')
  const common = (list: readonly string[], other: readonly string[]) => list.filter((id) => other.includes(id)).join()
  return {
    ...edit,
    values: { ...edit.values, ...typedAgain },
    changed: new Set([...edit.changed].filter((name) => !isPlace(name))),
    theirs: Object.fromEntries(Object.entries(edit.theirs).filter(([name]) => !isPlace(name))),
    hidden: html`${edit.hidden}<input type="hidden" name="ids" value="${ids.join()}">`,
    rows,
    isReordered: sent !== undefined && common(shown, ids) !== common(ids, shown),
  }
}

const fieldsOf = (key: string, values: Values): [string, string][] =>
  Object.entries({ place: '', remove: '', ...values }).map(([member, value]) => [fieldOf(member, key), value])

interface SentRow {
  key: string
  id: string | undefined
  /** Whether it is removed, or a new one that was left empty. */
  isEmpty: boolean
  /** Whether somebody has changed a value of it. */
  isTyped: boolean
  /** Where it was moved to, from 1. */
  place: number | undefined
  values: Values
}

/** The ids of the records that a form has shown, in their order. */
const shownIn = (sent: Fields): string[] => sentText(sent, 'ids').split(',').filter(Boolean)

function rowsIn(sent: Fields, members: Members): SentRow[] {
  const shown = new Set(shownIn(sent))
  const named = Object.keys(sent).flatMap((name) => /^name-(\w{1,20})$/.exec(name)?.[1] ?? [])
  return [...new Set([...shown, ...named])].map((key) => {
    const textOf = (member: string) => sentText(sent, fieldOf(member, key))
    const isStored = shown.has(key)
    const isTyped = members.some((member) => isChanged(sent, fieldOf(member, key)))
    // A record may have been stored without a name: only who empties it means to remove it.
    const isEmptied = textOf('name').trim() === '' && isChanged(sent, fieldOf('name', key))
    const isLeft = isStored ? isEmptied : !isTyped
    const place = textOf('place')
    const isMoved = /^\d{1,4}$/.test(place) && isChanged(sent, fieldOf('place', key))
    return {
      key,
      id: isStored ? key : undefined,
      isEmpty: isLeft || textOf('remove') === 'true',
      isTyped,
      place: isMoved ? Number(place) : undefined,
      values: Object.fromEntries(members.map((member) => [member, textOf(member)])),
    }
  })
}

/** The rows that stay or are new, in the order that was typed. */
function entriesIn(sent: Fields, members: Members): SentRow[] {
  const rows = rowsIn(sent, members).filter(({ isEmpty }) => !isEmpty)
  const entries = rows.filter(({ place }) => place === undefined)
  const moved = rows.flatMap((row) => (row.place === undefined ? [] : [{ row, place: row.place }]))
  for (const { row, place } of moved.sort((a, b) => a.place - b.place)) entries.splice(Math.max(0, place - 1), 0, row)
  return entries
}

/**
 * Reads a form of {@link openList}.
 * @param list the member of the operation
 * @param toEntry the members of an entry, from the values of a row; `isChanged` says whether a member was changed
 * @throws NothingChanged
 */
export const readList =
  (
    list: string,
    members: Members,
    toEntry: (values: Values, isChanged: (member: string) => boolean) => object,
  ): ReadForm =>
  (sent) => {
    const { revision } = readEdit()(sent)
    const entries = entriesIn(sent, members).map(({ key, id, values }) => ({
      ...(id !== undefined && { id }),
      ...toEntry(values, (member) => isChanged(sent, fieldOf(member, key))),
    }))
    return { revision, [list]: entries }
  }

/** Says which fields of a form of {@link openList} failed. What is in use, the page says beside its row. */
export const explainList =
  (members: Members, labelOf: (member: string, name: string) => string) =>
  (failure: Failure, sent: Fields): Failure => {
    const entries = entriesIn(sent, members)
    return explain(failure, (field) => {
      const [, at, member] = /^\w+\[(\d+)\]\.(\w+)$/.exec(field) ?? []
      const entry = entries[Number(at)]
      if (!entry || member === undefined) return undefined
      return { name: fieldOf(member, entry.key), label: labelOf(member, entry.values.name?.trim() ?? '') }
    })
  }

/** The ids of the records that a form would remove. */
export const removedIn = (sent: Fields, members: Members): string[] =>
  rowsIn(sent, members).flatMap(({ id, isEmpty }) => (id !== undefined && isEmpty ? [id] : []))
