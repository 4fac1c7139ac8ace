import { expect, test } from 'vitest'
import { defaultLimits } from '../../../../contract/limits.ts'
import { parseProgram } from '../formats/detect.ts'

const parse = (title: string, others = {}) =>
  parseProgram(JSON.stringify([{ id: 1, title, start: '2031-03-14 09:00', ...others }]), 'a.json', defaultLimits)

test.each([
  'Canceled: Opening',
  'CANCELLED - Opening',
  'Cancelled – Opening',
  'Cancelled event: Opening',
  'Abgesagt: Opening',
  'Entfällt: Opening',
  'Annulé : Opening',
  'Cancelado: Opening',
  '[cancelled] Opening',
  '(CANCELED) Opening',
  '*** CANCELLED *** Opening',
  'Opening (cancelled)',
  'Opening [ABGESAGT]',
  'Opening - CANCELLED!',
  'Opening (fällt aus)',
  'Anulada: Opening',
  'Cancelled: Canceled: Opening',
])('the session “%s” is cancelled once, and the plan says why', (title) => {
  const { sessions, warnings } = parse(title)
  expect(sessions).toMatchObject([{ title: 'Opening', cancelled: true }])
  expect(warnings).toMatchObject([{ message: `Session “Opening” is cancelled, because its title is “${title}”.` }])
  expect(parse(title, { status: 'CANCELLED' })).toMatchObject({
    sessions: [{ title: 'Opening', cancelled: true }],
    warnings: [],
  })
})

test.each([
  'Cancelled flights and how to rebook',
  'Cancelled-culture',
  'Why my show was cancelled',
  'Cancelled:',
  'Noise-cancelled: a review',
  'Abgesagtes Treffen',
])('the session “%s” takes place', (title) => {
  expect(parse(title)).toMatchObject({ sessions: [{ title, cancelled: false }], warnings: [] })
})

test('a room that is only to be announced is none, and the plan says of how many sessions', () => {
  const words = ['TBA', 'tbd', 'Tbc', ' To be announced ', 'to be confirmed', 'N/A', '-', '–', '?']
  const sessions = [...words, 'Dash -', 'TBA Hall'].map((room, id) => ({
    id,
    title: 'Talk',
    start: '2031-03-14 09:00',
    room,
  }))
  const parsed = parseProgram(JSON.stringify(sessions), 'a.json', defaultLimits)
  expect(parsed.sessions.map(({ room }) => room)).toEqual([...words.map(() => ''), 'Dash -', 'TBA Hall'])
  expect(parsed.warnings.map(({ message }) => message)).toEqual(['9 sessions have no room: “TBA” is none.'])
})

test('references to characters in a title, room and name are decoded, which the plan reports once', () => {
  const { sessions, warnings } = parse('Q&amp;A &#8211; Don&#x2019;t &lt;miss&gt;', {
    subtitle: '&Uuml;ber&nbsp;uns',
    room: 'R&amp;D',
    speakers: ['J&ouml;rg'],
  })
  expect(sessions).toMatchObject([
    {
      title: 'Q&A – Don’t <miss>',
      room: 'R&D',
      speakers: [{ name: 'Jörg' }],
      subtitle: 'Über uns',
    },
  ])
  expect(warnings).toMatchObject([
    {
      message:
        'HTML references such as in “Q&amp;A &#8211; Don&#x2019;t &lt;miss&gt;” were decoded: “Q&A – Don’t <miss>”.',
    },
  ])
})

test.each(['How & when to write &amp;', 'AT&T; &c; &', 'a &unknown; b', 'Fish&chips'])(
  'the title “%s” is ambiguous or has none, and stays as it is',
  (title) => {
    expect(parse(title)).toMatchObject({ sessions: [{ title }], warnings: [] })
  },
)

test.each(['rejected', 'Withdrawn', 'draft', 'Entwurf', 'zurückgezogen'])(
  'a session with the state %s is left out, and the plan names it',
  (state) => {
    expect(parse('Opening', { state })).toMatchObject({
      sessions: [],
      warnings: [{ message: `Session “Opening” has the status “${state}”; skipped.`, weight: 'skipped' }],
    })
  },
)

test('a status that says neither that a session takes place nor that it does not is listed', () => {
  const rows = ['reporté', 'Accepted', 'Waitlisted', '', 'bestätigt', 'CONFIRMED', 'Waitlisted', 'Publish']
  const file = ['Title,Start,Status', ...rows.map((status, at) => `T${at},2030-05-14 10:00,${status}`)].join('\n')
  const { sessions, warnings } = parseProgram(file, 'program.csv', defaultLimits)
  expect(sessions).toHaveLength(8)
  expect(warnings).toEqual([
    {
      line: 2,
      message:
        'Sessions with these statuses are imported, as they do not say that a session is cancelled or rejected: “reporté”, “Waitlisted”.',
    },
  ])
})

test.each(['fällt aus', 'ausgefallen', 'entfallen', 'anulada', 'Cancelada'])(
  'a session with the status %s is cancelled',
  (status) => {
    const file = `Title,Start,Status\nOpening,2030-05-14 10:00,${status}`
    expect(parseProgram(file, 'program.csv', defaultLimits)).toMatchObject({
      sessions: [{ cancelled: true }],
      warnings: [],
    })
  },
)

test('the state of a proposal is its status', () => {
  const file = 'Proposal title,Start,Proposal state\nOpening,2030-05-14 10:00,canceled\nNo,2030-05-14 11:00,withdrawn'
  const { sessions } = parseProgram(file, 'program.csv', defaultLimits)
  expect(sessions).toMatchObject([{ title: 'Opening', cancelled: true }])
})

test('a note that a session is cancelled, in a column of something else, is reported with what to do', () => {
  const rows = [
    'Title,Start,Notes,Abstract',
    'A,2030-05-14 10:00,fällt aus!,',
    'B,2030-05-14 11:00,,CANCELADA',
    'C,2030-05-14 12:00,Cancelled last year,',
  ]
  const { sessions, warnings } = parseProgram(rows.join('\n'), 'program.csv', defaultLimits)
  expect(sessions.map(({ cancelled }) => cancelled)).toEqual([false, false, false])
  const advice = (title: string, column: string, note: string) =>
    `Session “${title}” is imported as taking place, although its “${column}” is “${note}”. To cancel it, write that in a column “Status”.`
  expect(warnings.map(({ message }) => message)).toEqual([
    advice('A', 'Notes', 'fällt aus!'),
    advice('B', 'Abstract', 'CANCELADA'),
  ])
  expect(
    parseProgram('Title,Start,Status,Notes\nA,2030-05-14 10:00,abgesagt,abgesagt', 'a.csv', defaultLimits).warnings,
  ).toEqual([])
})
