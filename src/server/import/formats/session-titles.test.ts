import { expect, test } from 'vitest'
import { defaultLimits } from '../../../contract/limits.ts'
import { parseProgram } from './detect.ts'

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
      description: expect.stringContaining('Über uns'),
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
