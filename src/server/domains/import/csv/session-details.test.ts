import { expect, test } from 'vitest'
import { defaultLimits } from '../../../../contract/limits.ts'
import { parseProgram } from '../formats/detect.ts'
import { readSpeakerDirectory } from './directories.ts'

const parse = (...lines: string[]) => parseProgram(lines.join('\n'), 'a.csv', defaultLimits)
const parseCell = (heading: string, cell: string) => parse(`Title,Start,${heading}`, `A,2031-03-14 09:00,"${cell}"`)
const parseList = (...sessions: object[]) =>
  parseProgram(
    JSON.stringify(sessions.map((each) => ({ title: 'A', start: '2031-03-14 09:00', ...each }))),
    'a.json',
    defaultLimits,
  )

test.each([
  ['Track', 'Science', { track: 'Science' }],
  ['Track Title', 'Science', { track: 'Science' }],
  ['Schedule Track (Optional)', 'Science', { track: 'Science' }],
  ['Assigned Track', 'Science', { track: 'Science' }],
  ['Themenbereich', 'Schnee', { track: 'Schnee' }],
  ['Type', 'Talk', { type: 'Talk' }],
  ['event_type', 'Talk', { type: 'Talk' }],
  ['Format of the session', 'Talk', { type: 'Talk' }],
  ['Art des Vortrags', 'Vortrag', { type: 'Vortrag' }],
  ['Type de session', 'Atelier', { type: 'Atelier' }],
  ['Language', 'en', { language: 'en' }],
  ['Sprache des Vortrags', 'Englisch', { language: 'en' }],
  ['Langue', 'anglais', { language: 'en' }],
  ['Idioma', 'Ingles', { language: 'en' }],
  ['Language', 'English / Deutsch', { language: 'en, de' }],
  ['Tags', 'new, for all', { tags: ['new', 'for all'] }],
  ['Keywords', 'ice, snow; rain', { tags: ['ice, snow', 'rain'] }],
  ['Schlagwörter', 'Eis|Schnee', { tags: ['Eis', 'Schnee'] }],
  ['Categories', 'ice', { tags: ['ice'] }],
  ['Licence', 'CC0', { license: 'CC0' }],
  ['Do not record', 'x', { doNotRecord: true }],
  ['Do not record', 'no', {}],
  ['Nicht aufzeichnen', 'ja', { doNotRecord: true }],
  ['Session URL', 'https://x.example/a', { links: [{ rel: 'page', title: '', url: 'https://x.example/a' }] }],
])('a cell below “%s”, %s, is %j', (heading, cell, meaning) => {
  const none = { track: '', type: '', language: '', tags: [], license: '', doNotRecord: false, links: [] }
  expect(parseCell(heading, cell)).toMatchObject({ sessions: [{ ...none, ...meaning }], warnings: [] })
})

test.each([
  ['Tag', '14.3.2031'],
  ['Track room', 'Hall'],
  ['Topic', 'Ice'],
  ['Presentation link', 'https://x.example/slides.pdf'],
  ['Programming language', 'C'],
  ['Track id', '7'],
  ['File type', 'pdf'],
  ['Room type', 'large'],
])('“%s” is none of these', (heading, cell) => {
  const none = { track: '', type: '', language: '', tags: [], links: [] }
  expect(parseCell(heading, cell).sessions).toMatchObject([none])
})

test('what cannot be used is left out, and the plan says so', () => {
  const { sessions, warnings, unused } = parse(
    'Title;Start;Language;Link;Speaker;Photo',
    'A;2031-03-14 09:00;English;https://x.example/a;Ana;https://x.example/ana.jpg',
    'B;2031-03-14 10:00;Klingonese;see below;Ben;ben.jpg',
    'C;2031-03-14 11:00;Elvish;javascript:alert(1);Cleo;javascript:alert(1)',
  )
  expect(sessions).toMatchObject([
    { language: 'en', links: [{}], speakers: [{ photo: 'https://x.example/ana.jpg' }] },
    ...['Ben', 'Cleo'].map((name) => ({ language: '', links: [], speakers: [{ name, photo: '' }] })),
  ])
  expect(warnings).toEqual([])
  expect(unused).toEqual([
    { name: '“Language”', count: 2, reason: '“Klingonese” is no known language' },
    { name: '“Link”', count: 2, reason: '“see below” is no http(s) URL' },
    { name: '“Photo”', count: 2, reason: '“ben.jpg” is no http(s) URL' },
  ])
})

test('biographies and photos belong to the speaker with their number, and to nobody if that is unclear', () => {
  const header = 'Title,Start,Speaker 1,Speaker 1 bio,Speaker 1 photo,Speaker 2,Speaker 2 bio,Speaker 2 photo'
  const { sessions, unused } = parse(
    header,
    'A,2031-03-14 09:00,Ana,"Skis; climbs, too.",https://x.example/ana.jpg,Ben,Sails.,https://x.example/ben.jpg',
    'B,2031-03-14 10:00,Ana,,,Ben,Sails.,',
    'C,2031-03-14 11:00,Ben,Sails.,,,,',
    'D,2031-03-14 12:00,Ana; Ben,,https://x.example/a;1.jpg; https://x.example/b.jpg,,,',
  )
  expect(sessions.map(({ speakers }) => speakers)).toMatchObject([
    [
      { name: 'Ana', biography: '<p>Skis; climbs, too.</p>', photo: 'https://x.example/ana.jpg' },
      { name: 'Ben', biography: '<p>Sails.</p>', photo: 'https://x.example/ben.jpg' },
    ],
    [
      { name: 'Ana', biography: '' },
      { name: 'Ben', biography: '' },
    ],
    [{ name: 'Ben', biography: '<p>Sails.</p>' }],
    [{ photo: 'https://x.example/a;1.jpg' }, { photo: 'https://x.example/b.jpg' }],
  ])
  expect(unused).toEqual([{ name: '“Speaker 1 bio”', count: 1, reason: 'a row needs as many as it has speakers' }])
})

test('the file of speakers may have their biographies and photos', () => {
  const speakers = readSpeakerDirectory(
    'id,name,bio,photo url\n12,Ana,"Skis.\n\nClimbs.",https://x.example/ana.jpg\n',
    'speakers.csv',
  )
  const program = 'Title,Start,speaker_ids\nA,2031-03-14 09:00,12'
  const { sessions } = parseProgram(program, 'a.csv', defaultLimits, { speakers })
  expect(sessions[0]?.speakers).toMatchObject([
    { name: 'Ana', key: '12', biography: '<p>Skis.</p><p>Climbs.</p>', photo: 'https://x.example/ana.jpg' },
  ])
})

test('a list of objects has the same, with the names of objects and the elements of lists', () => {
  const { sessions, unused } = parseList({
    ...{ track: { id: 3, name: 'Sky' }, type: ['Talk', 'Demo'], language: 'English', tags: ['ice, snow', 'rain'] },
    ...{ url: 'https://x.example/a', doNotRecord: true, license: 'CC0' },
  })
  expect(unused).toEqual([{ name: 'track.id', count: 1 }])
  expect(sessions).toMatchObject([
    {
      ...{ track: 'Sky', type: 'Talk', language: 'en', tags: ['ice, snow', 'rain', 'Demo'] },
      ...{ doNotRecord: true, license: 'CC0', links: [{ rel: 'page', title: '', url: 'https://x.example/a' }] },
    },
  ])
})

test('numbers that a list of objects has for tracks, types and tags are left out, and the plan says so', () => {
  const { sessions, unused } = parseList({ track: 3, type: 4, tags: [5, 6] })
  expect(sessions).toMatchObject([{ track: '', type: '', tags: [] }])
  expect(unused).toEqual([
    { name: '“track”', count: 1, reason: '“3” is only a number' },
    { name: '“type”', count: 1, reason: '“4” is only a number' },
    { name: '“tags”', count: 1, reason: '“5 6” is only a number' },
  ])
  expect(parse('Title,Start,Track', 'A,2031-03-14 09:00,3').sessions).toMatchObject([{ track: '3' }])
})

test('of hostile cells, those of no use are left out and the others shortened', () => {
  const many = Array.from({ length: 10_000 }, (_, n) => `tag ${n}`).join(';')
  const cells = ['A', '2031-03-14 09:00', 'Ana', 'b'.repeat(1_000_000), 'data:x', many, 'en;'.repeat(10_000)]
  const { sessions } = parse(
    'Title,Start,Speaker,Bio,Photo,Tags,Language,URL,Track',
    [...cells, 'https://x.example '.repeat(99), 't'.repeat(999)].join(','),
  )
  expect(sessions).toMatchObject([{ language: '', track: 't'.repeat(255), links: [{}], speakers: [{ photo: '' }] }])
  expect(sessions[0]?.tags).toHaveLength(50)
  expect(sessions[0]?.speakers[0]?.biography).toHaveLength('<p></p>'.length + 100_000)
})
