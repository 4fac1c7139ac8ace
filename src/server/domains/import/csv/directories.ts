import { isBlank } from '../../../../contract/visible.ts'
import { quote, stripUnstorable, toOneLine } from '../../../core/clean-text.ts'
import type { RawSpeaker } from '../sessions/speakers.ts'
import { readJson } from '../text/json-nodes.ts'
import { type Headings, headingsOf } from './csv-columns.ts'
import { type CsvTable, readTable, tableOf } from './csv-table.ts'
import { readJsonRows } from './json-rows.ts'

type DirectoryField = 'key' | 'firstName' | 'lastName' | 'name' | 'position' | 'company' | 'biography' | 'photo'

/** A file that lists venues or speakers cannot be read, for the reason in the message. */
export class DirectoryError extends Error {}

const words = (list: string) => list.split(', ')

const keyNames = 'id, key, code, number, no, nr, uid, uuid, username, slug'
const nameNames = 'full name, fullname, public name, display name, name, title'
const namesOf = (prefixes: readonly string[], names: string) =>
  words(names).flatMap((name) => [name, ...prefixes.map((prefix) => `${prefix} ${name}`)])

const columnsOf = (prefixes: readonly string[], synonyms: string): Headings<DirectoryField> =>
  headingsOf<DirectoryField>([
    ['key', namesOf(prefixes, keyNames)],
    ['firstName', namesOf(prefixes, 'first name, firstname, given name, vorname, prenom')],
    ['lastName', namesOf(prefixes, 'last name, lastname, surname, family name, nachname, nom')],
    ['name', [...namesOf(prefixes, nameNames), ...words(synonyms)]],
    ['position', namesOf(prefixes, 'position, job title, role, tag line, tagline, funktion')],
    ['company', namesOf(prefixes, 'company, organisation, organization, affiliation, firma')],
    ['biography', namesOf(prefixes, 'biography, bio, about, biografie')],
    ['photo', namesOf(prefixes, 'photo, photo url, picture, profile picture, avatar, avatar url, foto')],
  ])

const venueColumns = columnsOf(['venue', 'room', 'location'], 'venue, room, location, raum')
const speakerColumns = columnsOf(['speaker', 'presenter'], 'speaker, presenter, referent')

/** Whether a text is CSV of rooms or of speakers with their number or key. */
export const isVenueTable = (text: string): boolean => readTable(text, venueColumns, 2)?.columns.has('key') ?? false
export const isSpeakerTable = (text: string): boolean => readTable(text, speakerColumns, 2)?.columns.has('key') ?? false

/** Reads the names of rooms by their number or key, from CSV or a list in JSON. @throws DirectoryError */
export function readVenues(text: string, fileName: string): Map<string, string> {
  return new Map(readDirectory(text, fileName, 'venues', venueColumns).map(({ key, get }) => [key, get('name')]))
}

/** Reads the speakers by their number or key, from CSV or a list in JSON. @throws DirectoryError */
export function readSpeakerDirectory(text: string, fileName: string): Map<string, RawSpeaker> {
  const entries = readDirectory(text, fileName, 'speakers', speakerColumns)
  return new Map(
    entries.map(({ key, get }) => [
      key,
      {
        name: get('name') || toOneLine(`${get('firstName')} ${get('lastName')}`),
        position: get('position'),
        company: get('company'),
        ids: [key],
        biography: get('biography'),
        photo: get('photo'),
      },
    ]),
  )
}

interface Entry {
  key: string
  get(field: DirectoryField): string
}

function readDirectory(text: string, fileName: string, label: string, columns: Headings<DirectoryField>): Entry[] {
  const clean = stripUnstorable(text).replace(/^\u{FEFF}/u, '')
  const table = /^\s*[[{]/.test(clean) ? readJsonTable(clean, columns) : readTable(clean, columns, 2)
  const entries = (table?.rows ?? []).flatMap((row) => {
    const get = (field: DirectoryField) => (field === 'biography' ? row.get(field) : toOneLine(row.get(field)))
    const isNamed = !isBlank(get('name')) || !isBlank(get('firstName')) || !isBlank(get('lastName'))
    return get('key') === '' || !isNamed ? [] : [{ key: get('key'), get }]
  })
  if (entries.length > 0) return entries
  throw new DirectoryError(
    `${quote(fileName)} has no ${label}: it needs a column for their number or key and one for their name.`,
  )
}

function readJsonTable(text: string, columns: Headings<DirectoryField>): CsvTable<DirectoryField> | undefined {
  const file = readJson(text)
  return 'message' in file ? undefined : tableOf(readJsonRows(file), columns, 2)
}
