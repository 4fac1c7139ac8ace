import { quote, toOneLine } from '../../../core/clean-text.ts'
import type { ImportWarning } from '../source.ts'

const cancelledStatus = /^(?:cancel|abgesagt|storniert|entfällt|entfallen|fällt aus|ausgefallen|annul|anulad)/i
const rejectedStatus =
  /^(?:rejected|declined|withdrawn|draft|deleted|decline.queue|inactive|abgelehnt|zurückgezogen|entwurf|refus|retiré|brouillon|rechazad|retirad|borrador)/i
const plannedStatus =
  /^(?:accept|confirm|approved|schedul|planned|publi|public|live|final|active|ok$|yes$|angenommen|bestätigt|zugesagt|geplant|öffentlich|valid|planifié|aceptad|aprobad|programad)/i

/** Statuses that are named; of any others, only the number. */
const maxNamedStatuses = 10

/** Whether a session with this status is no part of the program. */
export const isRejected = (status: string): boolean => rejectedStatus.test(status.trim())

/** Reads the statuses of one file. */
export function createStatusReader() {
  /** Those that say neither that a session takes place nor that it does not, and the line of the first. */
  const unknown = new Map<string, number>()
  return {
    isCancelled: (line: number, written: string): boolean => {
      const status = toOneLine(written)
      const isCancelled = cancelledStatus.test(status)
      if (status !== '' && !isCancelled && !plannedStatus.test(status) && !unknown.has(status))
        unknown.set(status, line)
      return isCancelled
    },
    describeUnknown: (): ImportWarning[] => {
      const [line] = unknown.values()
      if (line === undefined) return []
      const names = [...unknown.keys()].slice(0, maxNamedStatuses).map(quote).join(', ')
      const more = unknown.size - maxNamedStatuses
      const message = `Sessions with these statuses are imported, as they do not say that a session is cancelled or rejected: ${names}${more > 0 ? `, and ${more} more` : ''}.`
      return [{ line, message }]
    },
  }
}
