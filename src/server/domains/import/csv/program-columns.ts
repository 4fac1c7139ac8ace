import { type HeaderSynonyms, headingsOf } from './csv-columns.ts'
import type { CsvRow } from './csv-table.ts'
import { headingRule as rule, smallWords } from './headings.ts'

export type ProgramField =
  /** The UUID of an event, in Summit's own spreadsheet. */
  | 'summitId'
  /** When the event was last changed, in the same. */
  | 'summitModified'
  | 'guid'
  | 'code'
  | 'id'
  | 'title'
  /** The title of a session with several papers. */
  | 'sessionTitle'
  | 'subtitle'
  | 'day'
  | 'start'
  | 'endDay'
  | 'end'
  /** Whether it is an event of a whole day, in the export of a calendar. */
  | 'allDay'
  | 'duration'
  | 'room'
  | 'firstName'
  | 'lastName'
  | 'position'
  | 'company'
  | 'speaker'
  | 'abstract'
  | 'long'
  | 'status'
  | 'cancelled'
  | 'active'
  | 'track'
  | 'type'
  | 'language'
  | 'tags'
  | 'link'
  | 'origin'
  | 'feedback'
  | 'stream'
  | 'recording'
  | 'attachment'
  | 'related'
  | 'slug'
  | 'license'
  | 'doNotRecord'
  | 'biography'
  | 'photo'

const words = (list: string) => list.split(', ')

/**
 * Headers of program spreadsheets in English, German, French and Spanish, and of the exports of Sessionize, pretalx and Indico.
 */
export const programColumns: HeaderSynonyms<ProgramField> = [
  ['summitId', words('summit id')],
  ['summitModified', words('summit modified')],
  ['guid', words('guid, uuid')],
  ['code', words('code, session code, talk code')],
  ['id', words('id, session id, sessionid, talk id, event id, contribution id, submission id, proposal id, key')],
  [
    'title',
    words(
      'title, talk title, paper title, contribution title, proposal title, presentation title, session title, event title, titel, titre, session name, ' +
        'event name, talk, session, presentation, vortrag, thema, subject, betreff, topic, event, programmpunkt, headline, titulo, charla, ponencia, actividad, ' +
        'what, was, quoi, que, name',
    ),
  ],
  ['sessionTitle', words('session title')],
  ['subtitle', words('subtitle, untertitel, sous titre')],
  [
    'day',
    words(
      'start date, startdate, session date, event date, conference day, startdatum, beginnt am, date, datum, day, tag, jour, fecha, dia',
    ),
  ],
  [
    'start',
    words(
      'starts at, start time, starttime, start date time, start datetime, start, date start, starts, begin, begins, ' +
        'begins at, begin time, beginn, startzeit, anfang, von, from, debut, heure de debut, scheduled at, ' +
        'scheduled start, beginnt um, hora de inicio, inicio, comienzo, time, uhrzeit, zeit, heure, horaire, hora, horario, when',
    ),
  ],
  ['endDay', words('end date, enddate, enddatum, endet am, date de fin, fecha de fin')],
  [
    'end',
    words(
      'ends at, end time, endtime, end date time, end datetime, end, date end, ends, ende, endzeit, bis, until, to, ' +
        'till, endet um, hora de fin, hasta, finish, fin, heure de fin, scheduled end',
    ),
  ],
  [
    'duration',
    words(
      'duration, scheduled duration, duration minutes, duration in minutes, length, minutes, dauer, duree, duracion',
    ),
  ],
  ['allDay', words('all day event, all day, ganztagiges ereignis, ganztagig')],
  [
    'room',
    words(
      'room, room name, location, venue, track room, room track, hall, stage, place, where, raum, saal, ort, ' +
        'raum ort, buhne, salle, lieu, sala, lugar, aula, auditorio',
    ),
  ],
  ['firstName', words('first name, firstname, speaker first name, given name, vorname, prenom'), 'multiple'],
  ['lastName', words('last name, lastname, speaker last name, surname, family name, nachname, nom'), 'multiple'],
  [
    'position',
    words(
      'position, job title, jobtitle, speaker position, speaker title, speaker job title, role, tag line, tagline, ' +
        'designation, funktion, berufsbezeichnung, fonction, poste, cargo, puesto',
    ),
    'multiple',
  ],
  [
    'company',
    words(
      'company, organisation, organization, speaker company, speaker organisation, speaker organization, companies, ' +
        'institution, affiliation, employer, unternehmen, firma, entreprise, societe, empresa',
    ),
    'multiple',
  ],
  [
    'speaker',
    words(
      'speakers, speaker, speaker names, speaker name, presenters, presenter, presenter name, presented by, referenten, ' +
        'referent, referentin, referent in, referent innen, vortragende, vortragender, sprecher, sprecherin, sprecher in, ' +
        'redner, intervenants, intervenant, orateurs, orateur, hosts, host, full name, fullname, authors, author, who, wer, qui, quien, ponentes, ponente, orador, oradora, name',
    ),
    'multiple',
  ],
  [
    'abstract',
    words(
      'abstract, summary, short description, teaser, kurzbeschreibung, zusammenfassung, resume, description, ' +
        'session description, beschreibung, resumen, descripcion, details, about',
    ),
  ],
  [
    'long',
    words(
      'long description, long abstract, full description, detailed description, description, beschreibung, details, content, about',
    ),
  ],
  ['status', words('status, state, zustand, statut, estado')],
  ['cancelled', words('cancelled, canceled, is cancelled, abgesagt, annule, cancelado, cancelada')],
  ['active', words('active, is active, published, is published, visible, aktiv')],
  [
    'track',
    words(
      'track, track name, track title, session track, themenbereich, themenstrang, parcours, thematique, ' +
        'linea tematica, eje tematico',
    ),
  ],
  [
    'type',
    words(
      'session format, session type, talk format, talk type, presentation type, submission type, proposal type, ' +
        'event type, format, type, vortragsformat, vortragsart, veranstaltungsart, typ, type de session, formato, tipo',
    ),
  ],
  ['language', words('language, session language, content locale, locale, sprache, vortragssprache, langue, idioma')],
  [
    'tags',
    words(
      'tags, keywords, categories, category, schlagworte, schlagworter, stichworte, kategorien, kategorie, mots cles, ' +
        'etiquettes, categorie, palabras clave, etiquetas, categoria',
    ),
  ],
  ['link', words('url, session url, talk url, event url, permalink, link, session link, event link, lien, enlace')],
  ['origin', words('origin url, submission url, proposal url')],
  ['feedback', words('feedback url, feedback link')],
  ['stream', words('stream url, live url, livestream url')],
  ['recording', words('recording url, video url')],
  ['attachment', words('attachments')],
  ['related', words('related links, related url')],
  ['slug', words('slug')],
  ['license', words('license, licence, recording license, recording licence, lizenz, licencia')],
  [
    'doNotRecord',
    words('do not record, no recording, nicht aufzeichnen, keine aufzeichnung, ne pas enregistrer, no grabar'),
  ],
  [
    'biography',
    words(
      'speaker biography, speaker bio, biography, bio, about the speaker, biografie, kurzbiografie, biographie, ' +
        'biografia',
    ),
    'multiple',
  ],
  [
    'photo',
    words(
      'speaker photo, speaker photo url, speaker picture, speaker picture url, profile picture, profile picture url, ' +
        'headshot, avatar, avatar url, photo, photo url, foto',
    ),
    'multiple',
  ],
]

/** The title of the paper, else of the session. */
export const titleOf = (row: CsvRow<ProgramField>): string => row.get('title') || row.get('sessionTitle')

const session =
  'event session talk paper contribution presentation item activity lecture slot entry agenda schedule scheduled program ' +
  'programme vortrag vortrags beitrag beitrags veranstaltung'
const own = 'your ihr ihre ihrer ihres dein deine deiner deines'
const filler = `${smallWords} ${own} at local planned`
const start = 'start starts starting begin begins beginning from beginn anfang von debut inicio'
const end = 'end ends ending finish finishes until till ende bis fin'
const date = 'date day datum tag jour fecha dia'
const time = 'time hour zeit uhrzeit heure hora'
const title = 'title titel titre titulo topic subject thema'
const room =
  'room location microlocation venue hall stage place auditorium theatre theater building raum saal horsaal ort buhne ' +
  'salle lieu amphitheatre sala aula zaal'
const speaker =
  'speaker speakers presenter presenters moderator moderators referent referentin referenten vortragende vortragenden vortragender panelist panelists'
const name = 'name names'
const id = 'id ids key code'

/**
 * Headings that are recognized by their words if none of the synonyms of the field is present. They cover the templates
 * of Guidebook, Whova, Sched, MeetingPulse, Hopin and others, and all that follow the same pattern.
 */
const programHeadingRules = [
  rule<ProgramField>('id', [`${id} identifier uid`, session], filler),
  rule<ProgramField>('title', [title], session, filler, name),
  rule<ProgramField>('title', [name, session], filler),
  rule<ProgramField>('day', [date], start, session, filler, 'conference'),
  rule<ProgramField>('endDay', [date, end], session, filler),
  rule<ProgramField>('start', [start], time, date, 'datetime', session, filler),
  rule<ProgramField>('start', [`${time} datetime`], session, filler),
  rule<ProgramField>('end', [end], time, date, 'datetime', session, filler),
  rule<ProgramField>(
    'duration',
    ['duration length dauer duree'],
    'minutes minuten mins min hours hour hrs h std stunden heures en',
    session,
    filler,
  ),
  rule<ProgramField>('room', [room], session, filler, name, id, 'number assigned main meeting conference physical'),
  rule<ProgramField>('firstName', [speaker, 'first given firstname vorname prenom'], name),
  rule<ProgramField>('lastName', [speaker, 'last family surname lastname nachname'], name),
  rule<ProgramField>('position', [speaker, 'position role title designation job'], filler),
  rule<ProgramField>(
    'company',
    [speaker, 'company organisation organization affiliation institution employer'],
    filler,
  ),
  // As forms ask the speakers themselves: “What is your name?”
  rule<ProgramField>('speaker', [`${own} you`, `${name} who`], filler, 'are full'),
  rule<ProgramField>('speaker', [speaker], session, filler, name, id, 'main keynote invited all list full'),
  rule<ProgramField>('abstract', ['description abstract summary beschreibung'], session, filler, 'short text'),
  // As in “What’s it about?”
  rule<ProgramField>('abstract', ['about'], session, filler, 'it this'),
  rule<ProgramField>('status', ['status state'], session, filler, 'proposal submission'),
  rule<ProgramField>('track', ['track tracks'], session, filler, title, name, 'assigned'),
  rule<ProgramField>('type', ['type format art', session], filler, 'submission proposal'),
  rule<ProgramField>('language', ['language sprache langue idioma'], session, filler),
  rule<ProgramField>('biography', [speaker, 'biography bio biografie biographie biografia'], filler, 'short'),
  rule<ProgramField>('photo', [speaker, 'photo picture image headshot avatar foto'], filler, 'url link profile'),
]

export const programHeadings = headingsOf(programColumns, programHeadingRules)
