import { expect, test } from 'vitest'
import { defaultLimits } from '../../../../contract/limits.ts'
import { parseParticipants } from './participants-csv.ts'

const parse = (...lines: string[]) => parseParticipants(lines.join('\n'), defaultLimits)
const names = (...lines: string[]) =>
  parse(...lines).participants.map(({ values }) => [values.first_name, values.last_name])

test('every field is read under a usual heading', () => {
  const { participants, warnings } = parse(
    '\u{FEFF}First name,Surname,E-Mail,Job Title,Staff ID,Phone,Gender,Avatar',
    'Ada,Lovelace,ADA@x.org,Analyst,7,+44 1,female,https://x.org/a.png',
  )
  expect(warnings).toEqual([])
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

test('unused columns are listed, with the column that is used instead', () => {
  const { participants, warnings, unused } = parse(
    'Email,Phone,Mail,Shoe size,Team 1,Notes,,Mobile',
    'a@x.org,1,b@x.org,38,red,,x,2',
    'c@x.org,,,,blue,,,',
  )
  expect(participants.map(({ values }) => values)).toEqual([{ email: 'a@x.org', mobile_no: '2' }, { email: 'c@x.org' }])
  expect(warnings).toEqual([])
  expect(unused).toEqual([
    { name: '“Phone”', count: 1, reason: '“Mobile” is used instead' },
    { name: '“Mail”', count: 1, reason: '“Email” is used instead' },
    { name: '“Team 1”', count: 2 },
    { name: '“Shoe size”', count: 1 },
    { name: 'column 7 (no heading)', count: 1 },
  ])
})

test('ignored cells in numbered columns are reported', () => {
  const { participants, warnings } = parse('Email,Phone 1,Phone 2', 'a@x.org,1,2', 'b@x.org,,3')
  expect(participants.map(({ values }) => values.mobile_no)).toEqual(['1', '3'])
  expect(warnings).toMatchObject([
    { line: 1, message: 'Columns “Phone 1”, “Phone 2”: only the first non-empty cell of a row is used.' },
  ])
  expect(parse('Email,Phone 1,Phone 2', 'a@x.org,1,', 'b@x.org,,3').warnings).toEqual([])
})

test('empty cells are ignored', () => {
  expect(parse('Email;Phone;Name', 'a@x.org;;').participants[0]?.values).toEqual({ email: 'a@x.org' })
})

test('a photo that is not an http(s) URL is ignored, and the participant is imported', () => {
  const bad = ['javascript:alert(1)', 'photos/b.jpg', '../../x.png', 'foo bar', 'https://']
  const rows = bad.map((photo, index) => `${index}@x.org,${photo}`)
  const { participants, warnings } = parse('Email,Photo', ...rows, 'a@x.org,HTTPS://x.org/a.png')
  expect(participants.map(({ values }) => values.photo)).toEqual([...bad.map(() => undefined), 'HTTPS://x.org/a.png'])
  expect(warnings).toEqual(
    bad.map((photo, index) => ({
      line: index + 2,
      message: `The photo “${photo}” is not an http(s) URL; it was ignored.`,
    })),
  )
})

test.each([
  ['Herr', 'M'],
  ['Frau', 'F'],
  ['Mr.', 'M'],
  ['Mrs', 'F'],
  ['Monsieur', 'M'],
  ['Mme', 'F'],
])('the salutation %s in a column for the gender becomes %s', (word, gender) => {
  const { participants } = parseParticipants(`Email,Gender\na@x.org,${word}`, defaultLimits)
  expect(participants.map(({ values }) => values.gender)).toEqual([gender])
})

test('known words for a gender become the letter that clients know, others stay unchanged', () => {
  const { participants } = parse('Email,Geschlecht', 'a@x.org,W', 'b@x.org,Männlich', 'c@x.org,X', 'd@x.org,Féminin')
  expect(participants.map(({ values }) => values.gender)).toEqual(['F', 'M', 'X', 'F'])
})

test('full names are split into first and last name', () => {
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

test('each skipped row is reported with its line and the message', () => {
  const { participants, warnings } = parse(
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
  expect(warnings.map(({ line, message }) => `${line}: ${message.replace(/“d+…”/, '…')}`)).toEqual([
    '3: “bob at x.org” is not a valid e-mail address; row skipped.',
    '6: No e-mail address or employee number; row skipped.',
    '8: “ada@x.org” is already in line 2; row skipped.',
    '9: “3” is already in line 4; row skipped.',
    '10: The designation … is longer than 255 characters; row skipped.',
    '11: The row has 5 cells but the header has 4; row skipped. Put quotes around a cell that contains the separator.',
  ])
})

test('a row with the address or number of an earlier row is skipped, even if its other values differ', () => {
  const { participants, warnings } = parse('Id,Email,First name', '1,,Xavier', '1,a@x.org,Yolanda', '2,A@x.org,Zoe')
  expect(participants.map(({ values }) => values.first_name)).toEqual(['Xavier', 'Zoe'])
  expect(warnings).toMatchObject([{ line: 3, message: '“1” is already in line 2; row skipped.' }])
})

test.each(['a@x.org', 'a.b+c@sub.x-y.museum', "o'neil@x.org", 'juergen@müller.de'])(
  '%s is accepted as an e-mail address',
  (email) => {
    expect(parse('Email', email).participants).toHaveLength(1)
  },
)

test.each([
  'a',
  'a@',
  '@x.org',
  'a@x',
  'jürgen@x.org',
  'a@x..org',
  'a b@x.org',
  'a@x.org;b@x.org',
  '<a@x.org>',
  'a@@x.org',
])('%s is rejected as an e-mail address', (email) => {
  expect(parse('Email,Id', `"${email}",1`).warnings).toHaveLength(1)
})

test.each([
  ['', 1, 'The file is empty.'],
  ['hello\nworld', 1, 'No header row found'],
  ['\nName,Company\nA,B', 2, 'No column for the e-mail address or employee number. Columns: “Name”, “Company”.'],
  ['Email,Name', 1, 'The file has a header but no rows.'],
  [
    '[\n{"id":1,"employee_no":"E1",\n"email":"a@x.org"}]',
    1,
    'This is JSON; participants can only be imported from a spreadsheet, or from an export of Summit.',
  ],
])('the unusable file %j gets a warning that explains why', (text, line, message) => {
  expect(parseParticipants(text, defaultLimits)).toEqual({
    participants: [],
    warnings: [{ line, message: expect.stringContaining(message) }],
    unused: [],
  })
})

test('a cell may be as long as a value in a request', () => {
  const limits = { ...defaultLimits, text: 9 }
  const { participants, warnings } = parseParticipants(
    'Email,Name\na@x.org,😀😀😀😀😀😀😀😀😀\nb@x.org,1234567890',
    limits,
  )
  expect(participants.map(({ key }) => key)).toEqual(['a@x.org'])
  expect(warnings).toMatchObject([
    { line: 3, message: 'The first name “1234567890” is longer than 9 characters; row skipped.' },
  ])
})

test('invisible characters are removed from addresses but not from names, and international domains are encoded', () => {
  const { participants, warnings } = parse(
    'Name,Email',
    'Ana,ana@summit.example\u200B',
    'Lars,\u202Alars@summit.example\u202C',
    'Mei,mei@summit.example\u00A0',
    'Pat,pat\u00AD@summit.example',
    'क्\u200Dष,Ksha@bücher.example',
    'Zoe,zoe@summit.example\uFEFF',
    'Zoe,zoe@summit.example',
  )
  expect(participants.map(({ values }) => values.email)).toEqual([
    ...['ana@summit.example', 'lars@summit.example', 'mei@summit.example', 'pat@summit.example'],
    ...['Ksha@xn--bcher-kva.example', 'zoe@summit.example'],
  ])
  expect(participants[4]?.values.first_name).toBe('क्\u200Dष')
  expect(warnings).toMatchObject([{ line: 8, message: '“zoe@summit.example” is already in line 7; row skipped.' }])
})

test('an address to which mail may not arrive is reported at once', () => {
  const { participants, warnings } = parse('Email,Id', 'foo..bar@docomo.example,1', 'jürgen@x.example,2')
  expect(participants.map(({ key }) => key)).toEqual(['foo..bar@docomo.example'])
  expect(warnings.map(({ message }) => message)).toEqual([
    '“foo..bar@docomo.example” has dots where the rules for addresses allow none; some mail servers refuse mail to it.',
    'No mail can be sent to “jürgen@x.example”, because of the letters before the @ that are not in a–z; row skipped.',
  ])
})

test.each(['4.47911E+11', '4,47911E+11', '1E+12', '+4.47911e+11'])(
  'the number %s was cut, and is not stored',
  (cut) => {
    const { participants, warnings } = parse('Id;Email;Phone', `${cut};ana@x.example;${cut}`, `${cut};;1`, '1E5;;2')
    expect(participants.map(({ values }) => values)).toEqual([
      { email: 'ana@x.example' },
      { employee_no: '1E5', mobile_no: '2' },
    ])
    expect(warnings.map(({ line, message }) => `${line}: ${message}`)).toEqual([
      expect.stringContaining(`2: A spreadsheet has cut the mobile number “${cut}”; it was ignored. `),
      expect.stringContaining(`2: A spreadsheet has cut the employee number “${cut}”; it was ignored. `),
      expect.stringContaining(`3: A spreadsheet has cut the employee number “${cut}”; it was ignored. `),
      '3: No e-mail address or employee number; row skipped.',
    ])
  },
)

test('a cut number in an export changes nothing', () => {
  const { participants } = parse(
    'id,employee_no,email,mobile_no,modified_by',
    '1,1.23457E+12,a@x.example,4.47911E+11,0',
  )
  expect(participants).toMatchObject([{ id: 1, values: { email: 'a@x.example' } }])
  expect(Object.keys(participants[0]?.values ?? {})).toEqual(['email'])
})

test('a table with ids but neither addresses nor names, such as a program, has no participants', () => {
  const { participants, warnings } = parseParticipants('ID,Title,Date,Start\n1,Opening,2030-05-14,09:00', defaultLimits)
  expect(participants).toEqual([])
  expect(warnings).toMatchObject([
    { line: 1, message: expect.stringContaining('No column for the e-mail address, and none for a name') },
  ])
})
