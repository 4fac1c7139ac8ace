import { headingsOf } from './csv-columns.ts'
import { headingRule as rule, smallWords } from './headings.ts'
import { type ProgramField, programColumns } from './program-columns.ts'

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
  rule<ProgramField>('status', ['status state'], session, filler, 'proposal submission'),
]

export const programHeadings = headingsOf(programColumns, programHeadingRules)
