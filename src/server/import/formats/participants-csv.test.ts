import { expect, test } from 'vitest'
import { defaultLimits } from '../../../contract/limits.ts'
import { parseParticipants } from './participants-csv.ts'

const parse = (...lines: string[]) => parseParticipants(lines.join('\n'), defaultLimits)
const names = (...lines: string[]) =>
  parse(...lines).participants.map(({ values }) => [values.first_name, values.last_name])

test('reads every field under the headers that people use', () => {
  const { participants, problems } = parse(
    '\u{FEFF}First name,Surname,E-Mail,Job Title,Staff ID,Phone,Gender,Avatar',
    'Ada,Lovelace,ADA@x.org,Analyst,7,+44 1,female,https://x.org/a.png',
  )
  expect(problems).toEqual([])
  expect(participants).toEqual([
    {
      ...{ line: 2, key: 'ada@x.org' },
      values: {
        ...{ first_name: 'Ada', last_name: 'Lovelace', email: 'ADA@x.org', designation: 'Analyst', employee_no: '7' },
        ...{ mobile_no: '+44 1', gender: 'F', photo: 'https://x.org/a.png' },
      },
    },
  ])
})

test('names the columns of which nothing is taken, and what is taken instead', () => {
  const { participants, problems } = parse(
    'Email,Phone,Mail,Shoe size,Team 1,Notes,,Mobile',
    'a@x.org,1,b@x.org,38,red,,x,2',
    'c@x.org,,,,,,,',
  )
  expect(participants.map(({ values }) => values)).toEqual([{ email: 'a@x.org', mobile_no: '2' }, { email: 'c@x.org' }])
  expect(problems).toEqual([
    {
      line: 1,
      reason:
        'Columns not used: “Phone” (“Mobile” is used instead), “Mail” (“Email” is used instead), “Shoe size”, ' +
        '“Team 1”, column 7, which has no heading.',
    },
  ])
})

test('says of columns for the same thing that the first counts, where a cell is lost by it', () => {
  const { participants, problems } = parse('Email,Phone 1,Phone 2', 'a@x.org,1,2', 'b@x.org,,3')
  expect(participants.map(({ values }) => values.mobile_no)).toEqual(['1', '3'])
  expect(problems).toEqual([
    { line: 1, reason: 'Of the columns “Phone 1”, “Phone 2” the first that is filled is used.' },
  ])
  expect(parse('Email,Phone 1,Phone 2', 'a@x.org,1,', 'b@x.org,,3').problems).toEqual([])
})

test('an empty cell states nothing', () => {
  expect(parse('Email;Phone;Name', 'a@x.org;;').participants[0]?.values).toEqual({ email: 'a@x.org' })
})

test('leaves out a photo that is not on the web, and takes the participant', () => {
  const bad = ['javascript:alert(1)', 'photos/b.jpg', '../../x.png', 'foo bar', 'https://']
  const rows = bad.map((photo, index) => `${index}@x.org,${photo}`)
  const { participants, problems } = parse('Email,Photo', ...rows, 'a@x.org,HTTPS://x.org/a.png')
  expect(participants.map(({ values }) => values.photo)).toEqual([...bad.map(() => undefined), 'HTTPS://x.org/a.png'])
  expect(problems).toEqual(
    bad.map((photo, index) => ({
      line: index + 2,
      reason: `The photo “${photo}” is not an http(s) URL; it was left out.`,
    })),
  )
})

test('a gender that is clear is the letter that clients know, any other stays as it is', () => {
  const { participants } = parse('Email,Geschlecht', 'a@x.org,W', 'b@x.org,Männlich', 'c@x.org,X', 'd@x.org,Féminin')
  expect(participants.map(({ values }) => values.gender)).toEqual(['F', 'M', 'X', 'F'])
})

test('takes names apart', () => {
  expect(names('Name,Email', 'Ada King Lovelace,a@x.org', '"Lovelace, Ada",b@x.org', 'Madonna,c@x.org')).toEqual([
    ['Ada King', 'Lovelace'],
    ['Ada', 'Lovelace'],
    ['Madonna', undefined],
  ])
  expect(names('Name;Vorname;E-Mail-Adresse', 'Müller;Jürgen;a@x.org', 'Jürgen van Dyk;Jürgen;b@x.org')).toEqual([
    ['Jürgen', 'Müller'],
    ['Jürgen', 'van Dyk'],
  ])
  expect(names('Nom\tPrénom\tCourriel', 'Dupont\tÉlise\te@x.org')).toEqual([['Élise', 'Dupont']])
})

test('says for each row that was left out its line and why', () => {
  const { participants, problems } = parse(
    'First name,Email,Employee no,Designation',
    'Ada,ada@x.org,1,',
    'Bob,bob at x.org,2,',
    ',,3,',
    '',
    '"Two',
    'lines",,,',
    'Ada again,ADA@X.org,,',
    'Three again,,3,',
    `Long,long@x.org,,${'d'.repeat(256)}`,
    'Shifted,s@x.org,4,Boss, of all',
  )
  expect(participants.map(({ line, key }) => [line, key])).toEqual([
    [2, 'ada@x.org'],
    [4, '3'],
  ])
  expect(problems.map(({ line, reason }) => `${line}: ${reason.replace(/“d+…”/, '…')}`)).toEqual([
    '3: “bob at x.org” is not an e-mail address; the row was left out.',
    '6: The row has neither an e-mail address nor an employee number; it was left out.',
    '8: “ada@x.org” is in line 2 already; this row was left out.',
    '9: “3” is in line 4 already; this row was left out.',
    '10: The designation … is longer than 255 characters; the row was left out.',
    '11: The row has 5 cells and the header 4: a cell with a separator in it needs quotes around it. The row was left out.',
  ])
})

test('a second row with an address or a number of an earlier one is refused, whatever else it states', () => {
  const { participants, problems } = parse('Id,Email,First name', '1,,Xavier', '1,a@x.org,Yolanda', '2,A@x.org,Zoe')
  expect(participants.map(({ values }) => values.first_name)).toEqual(['Xavier', 'Zoe'])
  expect(problems).toEqual([{ line: 3, reason: '“1” is in line 2 already; this row was left out.' }])
})

test.each(['a@x.org', 'a.b+c@sub.x-y.museum', "o'neil@x.org", 'jürgen@müller.de'])(
  '%s is an e-mail address',
  (email) => {
    expect(parse('Email', email).participants).toHaveLength(1)
  },
)

test.each(['a', 'a@', '@x.org', 'a@x', 'a@x..org', 'a b@x.org', 'a@x.org;b@x.org', '<a@x.org>', 'a@@x.org'])(
  '%s is not an e-mail address',
  (email) => {
    expect(parse('Email,Id', `"${email}",1`).problems).toHaveLength(1)
  },
)

test.each([
  ['', 1, 'The file is empty.'],
  ['hello\nworld', 1, 'No header row was found'],
  ['\nName,Company\nA,B', 2, 'no column for the e-mail address or employee number. The columns are “Name”, “Company”.'],
  ['Email,Name', 1, 'The file has a header but no rows.'],
  ['[\n{"id":1,"employee_no":"E1",\n"email":"a@x.org"}]', 1, 'This is JSON; participants are taken from CSV only.'],
])('%j explains itself', (text, line, reason) => {
  expect(parseParticipants(text, defaultLimits)).toEqual({
    participants: [],
    problems: [{ line, reason: expect.stringContaining(reason) }],
  })
})

test('a cell may have as many characters as in a request', () => {
  const limits = { ...defaultLimits, text: 9 }
  const { participants, problems } = parseParticipants(
    'Email,Name\na@x.org,😀😀😀😀😀😀😀😀😀\nb@x.org,1234567890',
    limits,
  )
  expect(participants.map(({ key }) => key)).toEqual(['a@x.org'])
  expect(problems).toEqual([
    { line: 3, reason: 'The first name “1234567890” is longer than 9 characters; the row was left out.' },
  ])
})
