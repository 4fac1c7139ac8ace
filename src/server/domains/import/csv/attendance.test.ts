import { expect, test } from 'vitest'
import { defaultLimits } from '../../../../contract/limits.ts'
import { readAttendance } from './attendance.ts'
import { parseParticipants } from './participants-csv.ts'

const parse = (...lines: string[]) => parseParticipants(lines.join('\n'), defaultLimits)

const absent = [
  ...['Canceled', 'CANCELLED', 'refunded', 'Declined', 'Rejected', 'Void', 'Waitlisted', 'On the waiting list'],
  ...[
    'Not Attending',
    'NotAttending',
    'not_going',
    "Won't attend",
    'I can’t come',
    'Unable to attend',
    'No longer attending',
  ],
  ...['Expired', 'Not approved', 'Cancelled - no refund', 'Cancelled (refunded)', 'Registration cancelled', 'inactive'],
  ...['storniert', 'Abgesagt', 'abgelehnt', 'Kommt nicht', 'Nimmt nicht teil', 'Warteliste', 'ungültig', 'abgelaufen'],
  ...['annulé', 'Annulée', 'Remboursé', 'Ne participe pas', 'N’assistera pas', 'Liste d’attente', 'refusée', 'Expiré'],
  ...['Cancelado', 'reembolsada', 'No asiste', 'No asistirá', 'Lista de espera', 'rechazado', 'Caducado'],
]
const present = [
  ...['Attending', 'Going', 'Paid', 'Confirmed', 'Accepted', 'Checked in', 'Not checked in', 'Active', '', '-', 'n/a'],
  ...[
    'Not cancelled',
    'Not canceled',
    'not declined',
    'Not void',
    'Not refunded',
    'Not on the waiting list',
    'No refund',
  ],
  ...['nicht storniert', 'zugesagt', 'Nimmt teil', 'pas annulé', 'non annulé', 'Participe', 'no cancelado', 'Asiste'],
]
const undecided = [
  ...['Pending', 'pending_approval', 'Maybe', 'Tentative', 'Unconfirmed', 'Not confirmed', 'Unpaid', 'Not paid'],
  ...['Partially refunded', 'Refund requested', 'Refund declined', 'Cancellation refused', 'Payment failed'],
  ...['Accepted from waitlist', 'Not yet registered', 'offen', 'ausstehend', 'En attente', 'Pendiente'],
  ...['überfällig', 'Peut-être', 'Tal vez', 'No lo sé todavía', 'Not sure', 'Weiß noch nicht', 'Je ne sais pas encore'],
]

test.each([
  ['does not attend', absent],
  ['attends', present],
  ['undecided', undecided],
  ['unknown', ['VIP', 'Invited', 'Non-refundable', 'uncancelled', '已取消', '3']],
] as const)('a status reads as: %s', (attendance, cells) => {
  expect(cells.filter((cell) => readAttendance('Attendee Status', cell) !== attendance)).toEqual([])
})

test.each([
  ['RSVP', 'No', 'Yes'],
  ['Attending?', 'no', 'yes'],
  ['Will you attend?', 'No, sorry', 'Yes, gladly'],
  ['Will you join us in person?', 'No, sorry', 'Yes, both days'],
  ['Are you joining us?', 'No', 'Yes'],
  ['Can you come?', 'No', 'Yes'],
  ['Nimmt teil', 'nein', 'ja'],
  ['Nehmen Sie teil?', 'Nein, leider nicht', 'Ja, ich nehme teil'],
  ['Kommst du?', 'Ich kann leider nicht kommen', 'Ich komme gerne'],
  ['Werden Sie teilnehmen?', 'Ich nehme nicht teil', 'Ich werde teilnehmen'],
  ['Nimmst du teil?', 'Nein', 'Ja, aber nur Samstag'],
  ['Nehmen Sie an der Konferenz teil?', 'Nein, leider nicht', 'Ja'],
  ['Bist du dabei?', 'nein', 'ja'],
  ['Serez-vous présent(e) ?', 'Non', 'Oui'],
  ['Participerez-vous ?', 'Non', 'Oui'],
  ['Viendrez-vous ?', 'Non', 'Oui'],
  ['¿Asistirás?', 'No', 'Sí'],
  ['¿Vas a asistir al evento?', 'No', 'Sí'],
  ['¿Vendrás?', 'No', 'Sí'],
  ['Participe', 'non', 'oui'],
  ['Asiste', '0', 'sí'],
  ['Active', 'false', 'true'],
  ['Cancelled', 'yes', 'no'],
  ['Not attending', 'Yes', 'No'],
  ['Not cancelled', 'No', 'Yes'],
  ['Void Status', 'Yes', 'No'],
  ['Void Status', 'Void', 'Not void'],
  ['Refunded', 'x', ''],
  ['Canceled at', '2030-01-02 10:00', ''],
  ['Refunded', '10.00', '0.00'],
  ['storniert', 'ja', 'nein'],
])('with %s, %s leaves the row out and %s does not', (heading, out, included) => {
  const { participants, warnings } = parse(
    `Name,Email,${heading}`,
    `Ana Cruz,ana@x.example,"${included}"`,
    `Lars Holm,lars@x.example,"${out}"`,
  )
  expect(participants.map(({ key }) => key)).toEqual(['ana@x.example'])
  expect(warnings).toEqual([
    { line: 3, message: `“Lars Holm” does not attend (“${heading}”: “${out}”); row skipped.`, weight: 'skipped' },
  ])
})

test('a row of which it is undecided is left out with advice, and statuses that say nothing are listed', () => {
  const { participants, warnings } = parse(
    'Email,Status,Payment status',
    'ana@x.example,VIP,Paid',
    'lars@x.example,Attending,Pending',
    'mei@x.example,Speaker,',
  )
  expect(participants.map(({ key }) => key)).toEqual(['ana@x.example', 'mei@x.example'])
  expect(warnings).toEqual([
    {
      line: 1,
      message:
        'Rows with these statuses are imported, as they do not say that somebody does not attend: “VIP”, “Speaker”.',
    },
    {
      line: 3,
      message:
        'It is undecided whether “lars@x.example” attends (“Payment status”: “Pending”); row skipped. To import it all ' +
        'the same, empty this cell.',
      weight: 'skipped',
    },
  ])
})

test('a cancelled row does not stand in the way of a later one with the same address', () => {
  const rows = ['Email,Name,Status', 'ana@x.example,Ana Old,Canceled', 'ana@x.example,Ana Cruz,Paid']
  expect(parse(...rows).participants).toMatchObject([{ line: 3, values: { last_name: 'Cruz' } }])
})

test.each([
  'Check-in status',
  'Discount Status',
  'Marital status',
  'State',
  'Attending (dinner)',
  'Attending dinner',
  'Will you join the dinner?',
  'How will you join us?',
])('the column %s says nothing about whether somebody attends', (heading) => {
  expect(parse(`Email,${heading}`, 'ana@x.example,No').participants).toHaveLength(1)
})
