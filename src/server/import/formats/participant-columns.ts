import type { ParticipantField } from '../source.ts'
import type { HeaderSynonyms } from './csv-columns.ts'

export type ParticipantColumn = ParticipantField | 'full_name'

const words = (list: string) => list.split(', ')

/** Headers of participant spreadsheets in English, German and French. */
export const participantColumns: HeaderSynonyms<ParticipantColumn> = [
  [
    'email',
    words(
      'email, e mail, mail, email address, e mail address, mail address, e mail adresse, email adresse, courriel, adresse e mail',
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
  ['first_name', words('first name, firstname, given name, given names, forename, vorname, prenom')],
  ['last_name', words('last name, lastname, surname, family name, nachname, familienname, nom de famille, nom')],
  [
    'full_name',
    words(
      'full name, fullname, name, display name, participant, participant name, attendee, attendee name, ' +
        'vollstandiger name, teilnehmer, nom complet',
    ),
  ],
  [
    'designation',
    words(
      'designation, job title, jobtitle, position, role, job, title, funktion, berufsbezeichnung, stelle, position titel, ' +
        'fonction, poste, titre',
    ),
  ],
  [
    'mobile_no',
    words(
      'mobile no, mobile, mobile number, mobile phone, cell, cell phone, cellphone, phone, phone number, phone no, ' +
        'telephone, tel, handy, handynummer, mobil, mobilnummer, telefon, telefonnummer, portable',
    ),
  ],
  ['gender', words('gender, sex, geschlecht, sexe, genre')],
  [
    'photo',
    words('photo, photo url, picture, picture url, profile picture, avatar, avatar url, image, image url, foto, bild'),
  ],
]
