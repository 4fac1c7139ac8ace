import { toOneLine } from '../../../core/clean-text.ts'
import type { ParticipantField } from '../../participants/participant-differences.ts'
import type { HeaderSynonyms } from './csv-columns.ts'
import type { CsvRow } from './csv-table.ts'

export type ParticipantColumn = ParticipantField | 'full_name' | 'status'

const words = (list: string) => list.split(', ')

/** Headers of participant spreadsheets in English, German, French and Spanish. */
export const participantColumns: HeaderSynonyms<ParticipantColumn> = [
  [
    'email',
    words(
      'email, e mail, mail, email address, e mail address, mail address, e mail adresse, email adresse, emailadresse, mailadresse, courriel, adresse e mail, correo electronico, correo',
    ),
  ],
  [
    'employee_no',
    words(
      'employee no, employee number, employee id, employee nr, staff id, staff no, staff number, personnel number, ' +
        'personnel no, personalnummer, mitarbeiternummer, matricule, badge, badge id, badge no, badge number, ' +
        'participant id, attendee id, id',
    ),
  ],
  ['first_name', words('first name, firstname, given name, given names, forename, vorname, prenom, nombre')],
  [
    'last_name',
    words(
      'last name, lastname, surname, family name, nachname, familienname, nom de famille, nom, apellidos, apellido',
    ),
  ],
  [
    'full_name',
    words(
      'full name, fullname, name, display name, participant, participant name, attendee, attendee name, ' +
        'vollstandiger name, teilnehmer, nom complet, nombre completo, who, who are you, wer, wie heißen sie',
    ),
  ],
  [
    'designation',
    words(
      'designation, job title, jobtitle, position, role, job, title, funktion, berufsbezeichnung, stelle, position titel, ' +
        'fonction, poste, titre, cargo, puesto',
    ),
  ],
  [
    'mobile_no',
    words(
      'mobile no, mobile, mobile number, mobile phone, cell, cell phone, cellphone, phone, phone number, phone no, ' +
        'telephone, tel, handy, handynummer, mobil, mobilnummer, telefon, telefonnummer, contact number, portable, movil, telefono',
    ),
  ],
  ['gender', words('gender, sex, geschlecht, sexe, genre')],
  ['status', words('status, attendee status, rsvp, attending, cancelled, void status, statut, teilnahme'), 'multiple'],
  [
    'photo',
    words('photo, photo url, picture, picture url, profile picture, avatar, avatar url, image, image url, foto, bild'),
  ],
]

/**
 * First and last name, from their own columns or from a full name. Next to `First name` only, `Name` is the last name.
 */
export function nameOf(row: CsvRow<ParticipantColumn>): { first: string; last: string } {
  const [first, last, full] = [row.get('first_name'), row.get('last_name'), row.get('full_name')].map(toOneLine)
  if (!full || (first && last)) return { first: first ?? '', last: last ?? '' }
  const split = splitName(full)
  if (first && full.startsWith(`${first} `)) return { first, last: full.slice(first.length + 1) }
  if (first) return { first, last: full.includes(',') ? split.last : full }
  if (last) return { first: full.endsWith(` ${last}`) ? full.slice(0, -last.length - 1) : split.first, last }
  return split
}

/** Splits `Ada Lovelace` or `Lovelace, Ada`; without a comma, the last word is the last name. */
function splitName(name: string): { first: string; last: string } {
  const comma = name.indexOf(',')
  if (comma > 0) return { first: name.slice(comma + 1).trim(), last: name.slice(0, comma).trim() }
  const space = name.lastIndexOf(' ')
  return { first: space < 0 ? name : name.slice(0, space), last: space < 0 ? '' : name.slice(space + 1) }
}
