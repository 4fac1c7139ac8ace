import { quote } from '../../../core/clean-text.ts'
import type { ImportWarning } from '../source.ts'
import { type CsvRow, type CsvTable, isNo, isYes } from './csv-table.ts'
import { headingWords, normalizeHeader, wordSet } from './headings.ts'
import { nameOf, type ParticipantColumn } from './participant-columns.ts'

/** A cell's answer to whether somebody attends. */
type Attendance = 'attends' | 'does not attend' | 'undecided' | 'unknown'

/** Words of a heading that asks whether somebody attends, or has a status of that. */
const asked = wordSet(
  'status statut zustand estado rsvp attending attendance attend attends come coming going active aktiv actif',
  'activo join joining participate participating teilnahme teilnehmen zusage nimmt nimmst nehmen kommt kommst',
  'kommen dabei participation participe participes participez participerez presence present viens venez viendras',
  'viendrez assisterez asistencia asiste asistira asistiras asistir vienes vendras participaras nehmt',
)
/** Words of a heading that asks whether somebody does not: `Cancelled`, `Void Status`. */
const denied = wordSet(
  'cancelled canceled cancellation void voided refunded declined rejected withdrawn deleted',
  'storniert abgesagt abgelehnt annule annulee rembourse refuse cancelado cancelada anulado rechazado',
)
/** `Not attending` asks the opposite; `RSVP no.` may be a number. */
const opposite = wordSet('not nicht kein pas t cannot unable never')
const besides = wordSet(
  'a the of is are has been was will do does you they your we at on date am still can to be this event conference summit',
  'attendee participant guest ticket holder registrant registration invitation invite approval order booking payment current',
  'us there in person able teil an sie du ihr bist sind wirst werden der die das des konferenz veranstaltung',
  'teilnehmer anmeldung bestellung vous tu serez etes seras es e a inscription commande conference evenement vas va',
  'usted te inscripcion pedido evento conferencia al del de la le l werdet seid',
)

const numbered = wordSet('status statut zustand estado')

/** With the text in brackets: `Attending (dinner)` is about something else. */
const wordsOf = (heading: string): string[] => headingWords(heading.replace(/[()[\]]/g, ' '))[0] ?? []

export function isStatusHeading(heading: string): boolean {
  const words = heading.length > 200 ? [] : wordsOf(heading)
  return (
    words.some((word) => asked.has(word) || denied.has(word)) &&
    words.every((word) => [asked, denied, opposite, besides].some((each) => each.has(word)))
  )
}

const ending = wordSet(
  'cancelled canceled cancelling canceling declined decline declines rejected reject refused denied void voided withdrawn',
  'withdrew revoked deleted waitlisted waitlist warteliste expired invalid inactive transferred absent regret regrets',
  'refunded reimbursed storniert storno abgesagt absage abgelehnt erstattet zuruckerstattet ruckerstattet widerrufen',
  'ungultig inaktiv abgemeldet verhindert geloscht abwesend annule annulee rembourse remboursee refuse refusee rejete',
  'rejetee decline declinee inactif absente cancelado cancelada anulado anulada reembolsado reembolsada rechazado rechazada',
  'declinado inactivo ausente abgelaufen expire expiree caducado caducada',
)
/** Alone an ending; if refused (`Refund declined`), that is open. */
const process = wordSet(
  'cancel cancellation cancelation refund refunds stornierung erstattung annulation remboursement cancelacion reembolso',
)
const payment = wordSet('payment zahlung paiement pago')
const refusal = wordSet(
  'declined rejected refused denied withdrawn abgelehnt widerrufen refuse refusee rejete rejetee rechazado rechazada',
)
/** Not having paid or confirmed is undecided; not attending is an ending. */
const attending = wordSet(
  'attending attend attends attended coming come comes going accepted accept approved admitted valid registered active',
  'teilnehmend teilnehmen teil teilnahme kommt komme kommen zugesagt zusage angemeldet gultig aktiv anwesend participe participera',
  'participer present presente vient viens accepte acceptee inscrit inscrite actif valide assiste assistera asiste asistira',
  'viene aceptado aceptada inscrito inscrita activo valido',
)
const settled = wordSet(
  'paid confirmed confirm complete completed ok issued sold free complimentary bezahlt bestatigt paye payee confirme',
  'confirmee pagado pagada confirmado confirmada',
)
const open = wordSet(
  'pending unconfirmed tentative maybe perhaps unpaid overdue awaiting requested incomplete undecided unsure partial',
  'partially yet decided failed response reply responded replied hold offen ausstehend unbezahlt unbestatigt',
  'vielleicht teilweise angefragt antwort attente incertain partiellement reponse pendiente parcial parcialmente',
  'quizas respuesta uberfallig unsicher unklar weiss weiß',
)
/** `t` is that of “can’t”, `n` that of « n’assiste pas ». */
const negation = wordSet(
  'not no nicht kein keine pas non ne n t never unable cannot wont cant dont nie without ohne sin',
)
const waitingList = /\b(?:wait(?:ing)? list|liste d attente|lista de espera)\b/g
const doubt =
  /\b(?:peut etre|tal vez|not sure|do ?n t know|wei(?:ß|ss) (?:es )?(?:noch )?nicht|ne sais pas|no (?:lo )?se)\b/g

/** @param heading one of which `isStatusHeading` is true */
export function readAttendance(heading: string, cell: string): Attendance {
  const text = normalizeHeader(cell.replace(/[()[\]]/g, ' '))
  if (/^(?:|none|null|n a|nan|(?:not )?checked in)$/.test(text)) return 'attends'
  const said = readWords(text.replace(waitingList, 'waitlist').replace(doubt, 'undecided').split(' '))
  if (said !== 'unknown') return said
  // Only a yes or no needs the question.
  const question = wordsOf(heading)
  const isDenied = question.some((word) => denied.has(word)) !== question.some((word) => opposite.has(word))
  if (/^[\d ]+$/.test(text)) {
    // Whether, when or to what amount; the number of a status may mean anything.
    if (isDenied) return /[1-9]/.test(text) ? 'does not attend' : 'attends'
    if (question.some((word) => numbered.has(word))) return 'unknown'
  }
  // Not of words with a hyphen, such as “non-refundable”.
  const [answer = ''] = cell.trim().split(/[\s,.;:!/]+/)
  if (isNo(answer)) return isDenied ? 'attends' : 'does not attend'
  if (isYes(answer) || (isDenied && /\d/.test(text))) return isDenied ? 'does not attend' : 'attends'
  return 'unknown'
}

function readWords(words: readonly string[]): Attendance {
  const found = words.flatMap((word, at): Attendance[] => {
    const isNegated = isNegatedAt(words, at)
    if (ending.has(word) || process.has(word)) return [isNegated ? 'attends' : 'does not attend']
    if (attending.has(word)) return [isNegated ? 'does not attend' : 'attends']
    if (settled.has(word)) return [isNegated ? 'undecided' : 'attends']
    return open.has(word) ? ['undecided'] : []
  })
  const isEnding = found.includes('does not attend')
  const isRefused =
    words.some((word) => process.has(word) || payment.has(word)) && words.some((word) => refusal.has(word))
  const isContradictory = found.includes('attends') && words.some((word) => attending.has(word))
  if (found.includes('undecided') || (isEnding && (isRefused || isContradictory))) return 'undecided'
  if (isEnding) return 'does not attend'
  return found.length > 0 ? 'attends' : 'unknown'
}

/** Negated by a word before it, but after the last word of meaning, or by one at the end: `kommt nicht`. */
function isNegatedAt(words: readonly string[], at: number): boolean {
  const isMeaningful = (word: string) => [ending, process, attending, settled, open].some((each) => each.has(word))
  const before = words.slice(0, at)
  const since = before.slice(before.findLastIndex(isMeaningful) + 1)
  const after = words.slice(at + 1)
  return since.some((word) => negation.has(word)) || (after.length > 0 && after.every((word) => negation.has(word)))
}

/** Leaves out the people of whom a column says that they do not attend, or that this is undecided. */
export function withoutAbsent({ rows, header, headerLine, columns }: CsvTable<ParticipantColumn>): {
  attending: CsvRow<ParticipantColumn>[]
  warnings: ImportWarning[]
} {
  const warnings: ImportWarning[] = []
  const unknown = new Set<string>()
  const attending = rows.filter((row) => {
    const statuses = (columns.get('status') ?? []).map((at) => {
      const [heading = '', cell = ''] = [header[at], row.cells[at]]
      return { heading, cell, attendance: readAttendance(heading, cell) }
    })
    const find = (attendance: string) => statuses.find((status) => status.attendance === attendance)
    const absence = find('does not attend')
    const reason = absence ?? find('undecided')
    if (!reason) {
      for (const { cell, attendance } of statuses) if (attendance === 'unknown') unknown.add(quote(cell))
      return true
    }
    const name = quote(
      Object.values(nameOf(row)).filter(Boolean).join(' ') || row.get('email') || row.get('employee_no'),
    )
    const said = `(${quote(reason.heading)}: ${quote(reason.cell)})`
    const message = absence
      ? `${name} does not attend ${said}; row skipped.`
      : `It is undecided whether ${name} attends ${said}; row skipped. To import it all the same, empty this cell.`
    warnings.push({ line: row.line, message, weight: 'skipped' })
    return false
  })
  if (unknown.size > 0) {
    const names = [...unknown].slice(0, maxNamedStatuses)
    const more = unknown.size > names.length ? `, and ${unknown.size - names.length} more` : ''
    const message = `Rows with these statuses are imported, as they do not say that somebody does not attend: ${names.join(', ')}${more}.`
    warnings.push({ line: headerLine, message })
  }
  return { attending, warnings }
}

const maxNamedStatuses = 10
