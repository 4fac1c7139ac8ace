import { expect, test } from 'vitest'
import { defaultLimits } from '../../../../contract/limits.ts'
import { parseParticipants } from './participants-csv.ts'

const parse = (...lines: string[]) => parseParticipants(lines.join('\n'), defaultLimits)
const messages = (...lines: string[]) => parse(...lines).warnings.map(({ message }) => message)

test.each([
  ...['Attendee email', 'Ticket Email', 'Email (attendee)', 'Guest e-mail', 'attendee_email', 'AttendeeEmail'],
  ...['E-Mail des Teilnehmers', 'Your e-mail address', 'Participant: Email', 'E-mail address of the delegate'],
])('%s is the address of the person, and Email next to it is that of the buyer', (heading) => {
  for (const [header, row] of [
    [`Email,Phone,${heading}`, 'buyer@x.example,+1,ana@x.example'],
    [`${heading},Phone,Email`, 'ana@x.example,+1,buyer@x.example'],
  ] as const) {
    const { participants, unused } = parse(header, row)
    expect(participants.map(({ values }) => values)).toEqual([{ email: 'ana@x.example' }])
    expect(unused.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: '“Email”', count: 1, reason: `“${heading}” is used instead` },
      { name: '“Phone”', count: 1, reason: 'of the buyer, like the e-mail address next to it' },
    ])
  }
})

test.each([
  ...['Order Email', 'Buyer e-mail', 'Billing: Email', 'Invoice email', 'Email (booker)', 'Purchaser Email'],
  ...['Email - billing', 'E-Mail (Rechnung)', 'Email (emergency contact)'],
])('%s is never the address of the person', (heading) => {
  const { participants, warnings } = parse(`Name,${heading}`, 'Ana Cruz,boss@x.example')
  expect(participants).toEqual([])
  expect(warnings[0]?.message).toContain(`Of somebody else, such as the buyer: “${heading}”.`)
  expect(parse(`Email,${heading}`, ',boss@x.example').participants).toEqual([])
})

test.each([
  'Email (we send the confirmation of your order there)',
  'Email: please use the address of your order',
  'E-mail *',
])('a remark below a heading names no owner: %s', (heading) => {
  expect(parse(heading, 'ana@x.example').participants).toMatchObject([{ key: 'ana@x.example' }])
})

test.each([
  ['Attendee name: Given name,Attendee name: Family name', 'Ana,Cruz'],
  ['Ticket Full Name,Ticket First Name,Ticket Last Name', 'Ana Cruz,Ana,Cruz'],
  ['What is your name?', 'Ana Cruz'],
  ['Who are you?', 'Ana Cruz'],
  ['Who', 'Ana Cruz'],
  ['First & Last Name', 'Ana Cruz'],
  ['Name (Last),Name (First)', 'Cruz,Ana'],
  ['Ticket holder name', 'Ana Cruz'],
  ['Ihr Name', 'Ana Cruz'],
  ['Teilnehmername', 'Ana Cruz'],
  ['Teilnehmername: Vorname,Teilnehmername: Nachname', 'Ana,Cruz'],
  ['Bestellername,Teilnehmername', 'Some Buyer,Ana Cruz'],
  ['Vor- und Nachname', 'Ana Cruz'],
  ['Nombre,Apellidos', 'Ana,Cruz'],
  ['First name,Last name,Attendee name', 'Some,Buyer,Ana Cruz'],
  ['Teilnehmername', 'Ana Cruz'],
  ['Teilnehmername,Teilnehmername: Vorname,Teilnehmername: Nachname', 'Ana Cruz,Ana,Cruz'],
  ['Nom du participant,Nom du participant : Prénom,Nom du participant : Nom de famille', 'Ana Cruz,Ana,Cruz'],
  ['Nombre del asistente,Nombre del asistente: Nombre,Nombre del asistente: Apellidos', 'Ana Cruz,Ana,Cruz'],
  ['Buyer First Name,Buyer Last Name,Name', 'Some,Buyer,Ana Cruz'],
  ['Ticket name,Name', 'Early bird,Ana Cruz'],
])('the name is read from %s', (header, row) => {
  const { participants } = parse(`${header},Email`, `${row},ana@x.example`)
  expect(participants.map(({ values }) => values)).toEqual([
    { first_name: 'Ana', last_name: 'Cruz', email: 'ana@x.example' },
  ])
})

test('phone and job title of the person win as well, and what is of the ticket is not taken for theirs', () => {
  const { participants } = parse(
    'Email,Phone,Ticket Phone Number,Job title,Attendee job title,Ticket ID,Ticket title,Order phone',
    'ana@x.example,+1,+2,Boss,Chair,77,Early bird,+3',
  )
  expect(participants.map(({ values }) => values)).toEqual([
    { email: 'ana@x.example', mobile_no: '+2', designation: 'Chair' },
  ])
})

test('a number with # is no name', () => {
  const header = 'First Name,Last Name,Email,Attendee #,Phone #,Staff #'
  expect(parse(header, 'Ana,,ana@x.example,9,+1,E7').participants.map(({ values }) => values)).toEqual([
    { first_name: 'Ana', email: 'ana@x.example', mobile_no: '+1', employee_no: 'E7' },
  ])
})

test('of the columns of several guests the first is used', () => {
  const header = 'Attendee email,Guest email'
  expect(parse(header, 'ana@x.example,plus-one@x.example').participants).toMatchObject([{ key: 'ana@x.example' }])
  expect(parse(header, ',plus-one@x.example').participants).toEqual([])
  expect(parse(header, 'ana@x.example,plus-one@x.example').unused).toEqual([
    { name: '“Guest email”', count: 1, reason: '“Attendee email” is used instead' },
  ])
})

test('a file without a usable heading is told which there are', () => {
  for (const text of ['hello', 'Name,Company\nA,B'])
    expect(messages(text)[0]).toMatch(
      /Accepted headings: Email, Employee no, First name, .*; docs\/headings\.md lists them\.$/,
    )
})
