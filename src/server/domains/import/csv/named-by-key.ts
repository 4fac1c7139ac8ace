import { quote, toOneLine } from '../../../core/clean-text.ts'
import type { ReadingOptions } from '../sessions/reading-options.ts'
import type { SessionList } from '../sessions/session-list.ts'
import type { RawSpeaker } from '../sessions/speakers.ts'
import type { CsvTable } from './csv-table.ts'
import { normalizeHeader } from './headings.ts'
import type { ProgramField } from './program-columns.ts'

/** Whether a column has keys instead of names, by its heading: `venue_id`, `speakerIds`. */
const isKeyColumn = (heading: string): boolean =>
  /(?:^| )(?:ids?|keys?|codes?|numbers?)$/.test(normalizeHeader(heading))

/** Whether a column has keys instead of names, by its heading or its first cell. */
export function hasKeys({ header, columns, rows }: CsvTable<ProgramField>, field: ProgramField): boolean {
  const first = rows.find((row) => row.get(field) !== '')?.get(field) ?? ''
  return (columns.get(field) ?? []).some((at) => isKeyColumn(header[at] ?? '')) || isUuid(first.split('\n', 1)[0] ?? '')
}

const isUuid = (cell: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(cell)

/** Returns the name of a room of which the cell has the number or key; any other cell unchanged. */
export function nameRoom(
  cell: string,
  line: number,
  isKey: boolean,
  { venues }: ReadingOptions,
  list: SessionList,
): string {
  const name = venues?.get(toOneLine(cell))
  if (name !== undefined || cell === '') return name ?? ''
  if (venues) list.warnOnce(line, `The room ${quote(cell)} is not in the file of venues; it was used unchanged.`)
  else if (isKey)
    list.warnOnce(line, 'The rooms are given only by a number or key. Add the file that names them: --venues FILE.')
  return cell
}

/** Returns the speakers of whom the cells have the numbers or keys; `undefined` if they have names. */
export function nameSpeakers(
  cells: readonly string[],
  line: number,
  isKey: boolean,
  { speakers }: ReadingOptions,
  list: SessionList,
): RawSpeaker[] | undefined {
  const keys = cells
    .flatMap((cell) => cell.split(/[,;|\r\n]+/))
    .map(toOneLine)
    .filter((key) => key !== '')
  if (!speakers) {
    if (isKey && keys.length > 0)
      list.warnOnce(
        line,
        'The speakers are given only by a number or key. Add the file that names them: --speakers FILE.',
      )
    return isKey ? [] : undefined
  }
  // Names may contain commas, keys do not.
  if (!keys.some((key) => speakers.has(key))) return undefined
  return keys.flatMap((key) => {
    const speaker = speakers.get(key)
    if (speaker === undefined)
      list.warnOnce(line, `The speaker ${quote(key)} is not in the file of speakers and was left out.`)
    return speaker ?? []
  })
}
