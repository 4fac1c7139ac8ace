import type { EventRow } from '../program/session-event.ts'
import type { ExportedEvent } from './exported-events.ts'

/**
 * Finds the stored event of each row of an export: by its key within its source, else by its id, else by title and
 * start. An id alone is not enough: the file may come from another summit.
 */
export function matchExportedEvents<E extends EventRow>(
  rows: readonly ExportedEvent[],
  events: readonly E[],
): Map<ExportedEvent, E> {
  const matches = new Map<ExportedEvent, E>()
  const free = new Set(events)
  const matchBy = (
    keyOfRow: (row: ExportedEvent) => string | undefined,
    keyOfEvent: (event: EventRow) => string | undefined,
    isSame: (row: ExportedEvent, event: EventRow) => boolean,
  ) => {
    const candidates = Map.groupBy(free, keyOfEvent)
    for (const row of rows) {
      const key = matches.has(row) ? undefined : keyOfRow(row)
      const event =
        key === undefined ? undefined : candidates.get(key)?.find((each) => free.has(each) && isSame(row, each))
      if (!event) continue
      matches.set(row, event)
      free.delete(event)
    }
  }
  matchBy(
    (row) => keyOf(row.get('source'), row.get('source_key')),
    (event) => keyOf(event.source, event.source_key),
    () => true,
  )
  matchBy(
    (row) => row.get('id') || undefined,
    (event) => String(event.id),
    (row, event) => row.get('title') === event.title || row.get('date_from') === event.date_from,
  )
  matchBy(
    (row) => slotOf(row.get('title'), row.get('date_from')),
    (event) => slotOf(event.title, event.date_from),
    () => true,
  )
  return matches
}

const keyOf = (source = '', key = ''): string | undefined => (key === '' ? undefined : JSON.stringify([source, key]))

const slotOf = (title = '', start: string | null | undefined): string => JSON.stringify([title, start ?? ''])
