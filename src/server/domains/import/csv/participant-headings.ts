import { isStatusHeading } from './attendance.ts'
import { type ColumnMap, type Headings, matchColumns, maxColumns, usedInstead } from './csv-columns.ts'
import { headingWords, matchesRule, headingRule as rule, smallWords, wordSet } from './headings.ts'
import { type ParticipantColumn, participantColumns } from './participant-columns.ts'

const first = 'first given fore forename firstname vor vorname vornamen prenom prenoms nombre nombres'
const last = 'last family sur surname lastname nach nachname familienname nom apellido apellidos'
const name = 'name names teilnehmername'
const number = 'no nr num number numbers nummer numero id'
const phone = 'phone mobile cell cellphone telephone tel handy telefon mobiltelefon movil telefono celular'

/** In the order in which they are tried. The words of the owner and of questions are already left out. */
const rules = [
  rule<ParticipantColumn>('full_name', [first, last], name, 'and und et y'),
  rule<ParticipantColumn>(
    'full_name',
    ['name names nombre', 'full complete display vollstandiger completo complet'],
    'nom',
  ),
  rule<ParticipantColumn>('first_name', [first], name),
  rule<ParticipantColumn>('last_name', [last], name),
  rule<ParticipantColumn>('full_name', [name]),
  rule<ParticipantColumn>(
    'email',
    ['email mail courriel correo'],
    'e address addresses adresse direccion electronico id personal company office professional',
  ),
  rule<ParticipantColumn>('mobile_no', [phone], number, 'personal company office'),
  rule<ParticipantColumn>('designation', ['job'], 'title position role function name'),
  rule<ParticipantColumn>('designation', ['title position designation cargo puesto'], 'job company current'),
  rule<ParticipantColumn>('employee_no', ['employee staff personnel personal mitarbeiter', number]),
  rule<ParticipantColumn>('gender', ['gender sex geschlecht genre genero sexo']),
  rule<ParticipantColumn>('photo', ['photo picture avatar image foto bild'], 'profile url link'),
]

/** Words for the person of the row; `Attendee email` is theirs for certain. */
const ofPerson = wordSet(
  'attendee attendees participant participants participante guest guests ticket ticketholder holder delegate visitor',
  'registrant badge your you teilnehmer teilnehmerin teilnehmers teilnehmenden teilnehmername gast gastes ihr ihre dein deine',
  'asistente invitado votre vos ton su tu employee staff mitarbeiter',
)

/** Words for somebody else: the buyer of a ticket, or whoever is called in an emergency. Their columns are never used. */
const ofOthers = wordSet(
  'buyer order orderer orders ordered billing bill invoice booker booking booked purchaser purchase purchased payer',
  'payment paid customer emergency manager assistant parent guardian spouse besteller bestellerin bestellung kaufer',
  'kauferin rechnung rechnungs rechnungsadresse rechnungsempfanger buchung bucher acheteur acheteuse commande facture',
  'facturation payeur comprador compradora pedido factura facturacion pagador',
)

/** Words that say nothing about the field, also in `Name of the person who has registered`. */
const filler = wordSet(
  smallWords,
  'who whose person give to and has made primary main private work business contact registered sind heissen heißen sie et qui',
)

/** Next to `ticket` alone, these are of the ticket: `Ticket name` is its kind, `Ticket ID` its number. */
const ofTicket = wordSet('id name title position role job number no')

interface Reading {
  field: ParticipantColumn
  owner: 'person' | 'other' | undefined
  /** The heading without the words for the owner. */
  plain: string
  /** All words but numbers. */
  words: string
}

const synonyms = participantColumns.filter(([field]) => field !== 'status')

const fieldBySynonym = new Map(synonyms.flatMap(([field, names]) => names.map((each) => [each, field])))

const fieldOf = (words: readonly string[]): ParticipantColumn | undefined =>
  fieldBySynonym.get(words.join(' ')) ?? rules.find((each) => matchesRule(words, each))?.field

/** A German word for the person or the buyer, with another at its end: `Teilnehmername`. */
const compound = /(teilnehmer|gast|besteller|k[äa]ufer)(?=(?:vor|nach)?name|nummer|mail|telefon)/gi

/** With the text in brackets, which may name the owner; without it; and without instructions. */
function readingsOf(written: string): string[][] {
  const heading = written.replaceAll('#', ' no ').replace(compound, '$1 ')
  return [...headingWords(heading.replace(/[()[\]]/g, ' ')).slice(0, 1), ...headingWords(heading)]
}

/** Whether a column has a part of another one: `Nom du participant : Prénom`, beside `Nom du participant`. */
const isPart = (heading: string, whole: string): boolean =>
  heading.startsWith(whole) && /^\s*:/.test(heading.slice(whole.length))

function readHeading(heading: string, header: readonly string[] = []): Reading | undefined {
  if (heading === '' || heading.length > 200) return undefined
  const reading = readAlone(heading)
  const whole = header.find((other) => other !== '' && isPart(heading, other))
  const part = whole === undefined ? undefined : readAlone(heading.slice(whole.length))
  if (part) return { ...part, owner: reading?.owner, words: heading }
  // In French, the word for the last name is also that for the whole.
  const isWhole = reading && isNameField(reading.field) && header.some((other) => isPart(other, heading))
  return isWhole ? { ...reading, field: 'full_name', plain: 'full name' } : reading
}

function readAlone(heading: string): Reading | undefined {
  for (const words of readingsOf(heading)) {
    const rest = words.filter((word) => !ofPerson.has(word) && !ofOthers.has(word) && !filler.has(word))
    const field = fieldOf(words) ?? (isOfTicket(words, rest) ? undefined : fieldOf(rest))
    if (field === undefined) continue
    const plain = fieldOf(rest) === field ? rest.join(' ') : words.join(' ')
    return { field, owner: ownerOf(words, rest, field), plain, words: words.join(' ') }
  }
  return undefined
}

const isOfTicket = (words: readonly string[], [thing = '', ...others]: readonly string[]): boolean =>
  words.filter((word) => ofPerson.has(word)).join() === 'ticket' && others.length === 0 && ofTicket.has(thing)

function ownerOf(words: readonly string[], rest: readonly string[], field: ParticipantColumn): Reading['owner'] {
  if (words.some((word) => ofOthers.has(word))) return 'other'
  // An attendee's id is a number of the ticket shop, and no better than that of an employee.
  return rest.length > 0 && field !== 'employee_no' && words.some((word) => ofPerson.has(word)) ? 'person' : undefined
}

const nameFields = ['full_name', 'first_name', 'last_name'] as const satisfies ParticipantColumn[]

/**
 * Finds the columns of a table of participants. A column that names its owner comes before one that does not: next to
 * `Attendee email`, `Email` is the buyer's, and so is the phone number next to that.
 */
function find(header: readonly string[]): ColumnMap<ParticipantColumn> {
  const present = header.slice(0, maxColumns)
  const readings = present.map((heading) => readHeading(heading, present))
  const columnsOf = (owner: Reading['owner']) => {
    const plain = readings.map((reading) => (reading && reading.owner === owner ? reading.plain : ''))
    return [...matchColumns(plain, synonyms, rules)].map(
      ([field, found]) =>
        // Of those that differ only in the word for the owner, or in a filler, the first.
        [field, found.filter((at) => readings[at]?.words === readings[found[0] ?? -1]?.words)] as const,
    )
  }
  const own = new Map(columnsOf('person'))
  const general = new Map(columnsOf(undefined))
  if (own.has('full_name') || (own.has('first_name') && own.has('last_name')))
    for (const field of nameFields) general.delete(field)
  if (own.has('email') && general.has('email')) general.delete('mobile_no')
  const columns = new Map([...general, ...own])
  const statuses = header.slice(0, maxColumns).flatMap((heading, at) => (isStatusHeading(heading) ? [at] : []))
  return statuses.length > 0 ? columns.set('status', statuses) : columns
}

function whyUnused(
  heading: string,
  header: readonly string[],
  columns: ColumnMap<ParticipantColumn>,
): string | undefined {
  const reading = readHeading(heading, header)
  if (!reading) return undefined
  const fields: readonly ParticipantColumn[] = [reading.field, ...(isNameField(reading.field) ? nameFields : [])]
  const field = fields.find((each) => columns.has(each))
  if (field) return usedInstead(header, columns, field)
  return reading.owner === 'other' ? 'of somebody else' : 'of the buyer, like the e-mail address next to it'
}

export const isOfSomebodyElse = (heading: string): boolean => readHeading(heading)?.owner === 'other'

const isNameField = (field: ParticipantColumn): boolean => nameFields.some((each) => each === field)

export const participantHeadings: Headings<ParticipantColumn> = { synonyms: participantColumns, find, whyUnused }
