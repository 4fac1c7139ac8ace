import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../../../../test/app.ts'
import * as make from '../../../../../test/make.ts'
import { listAllParticipants } from '../../participants/participants.ts'
import { listAllEvents } from '../../program/events.ts'
import { listRecords } from '../../program/records.ts'
import { createTargetFinder } from './image-targets.ts'
import { identify } from './target-pictures.ts'

interface World {
  /** Titles, or titles with a speaker. */
  sessions?: (string | [title: string, speaker: string])[]
  people?: [first: string, last: string][]
}

/** The targets of the file, as kinds and names, or why it is skipped. */
async function findTargets({ sessions = [], people = [] }: World, file: string): Promise<string[] | string> {
  await using t = await startTestApp()
  for (const [title, speaker = ''] of sessions.map((session) => [session].flat()))
    await make.event(t, { ...(title !== undefined && { title }), speaker })
  for (const [first_name, last_name] of people) await make.participant(t, { first_name, last_name })
  const { read } = t.ctx.database
  const possible = {
    events: await listAllEvents(read),
    speakers: await listRecords(read, 'speaker'),
    participants: await listAllParticipants(read),
  }
  const found = createTargetFinder(possible, undefined)(file)
  if ('reason' in found) return found.reason
  return found.targets.map((target) => `${target.kind} of ${identify(target).name}`)
}

describe('a title is compared with its symbols and vowel signs:', () => {
  const sessions = [
    'Intro to C++',
    'Intro to C#',
    '.NET',
    'Net',
    'パスの話',
    'バスの話',
    'कि',
    'की',
    'Q&A',
    'QA',
    'AC/DC',
  ]
  test.each([
    ['Intro to C++.png', 'Intro to C++'],
    ['intro_to_c#.png', 'Intro to C#'],
    ['intro-to-C＋＋.banner.png', 'Intro to C++'],
    ['.NET.png', '.NET'],
    ['.net.png', '.NET'],
    ['net.png', 'Net'],
    ['バスの話.png'.normalize('NFD'), 'バスの話'],
    ['ﾊﾟｽの話.png', 'パスの話'],
    ['कि.png', 'कि'],
    ['की.png', 'की'],
    ['q&a.png', 'Q&A'],
    ['qa.png', 'QA'],
    ['AC-DC.png', 'AC/DC'],
  ])('%s', async (file, title) => {
    expect(await findTargets({ sessions }, file)).toEqual([`banner of ${title}`])
  })

  test.each(['Intro to C.png', 'Intro to C--.png', 'क.png', 'ハスの話.png', 'QundA.png'])(
    '%s is none',
    async (file) => {
      expect(await findTargets({ sessions }, file)).toContain('No session, speaker or participant is called')
    },
  )

  test.each([
    ['Intro to C++.png', 'Intro to C#'],
    ['Net.png', '.NET'],
    ['.NET.png', 'Net'],
    ['パス.png', 'バス'],
    ['כלב.png', 'כֶּלֶב'],
  ])('%s is not %s', async (file, title) => {
    expect(await findTargets({ sessions: [title] }, file)).toContain('No session, speaker or participant is called')
  })
})

describe('the exact name comes first:', () => {
  test.each<[string, World, string[]]>([
    ['Déjeuner.png', { sessions: ['Dejeuner', 'Déjeuner'] }, ['banner of Déjeuner']],
    ['dejeuner.png', { sessions: ['Dejeuner', 'Déjeuner'] }, ['banner of Dejeuner']],
    ['Café.png'.normalize('NFD'), { sessions: ['Café', 'Cafe'] }, ['banner of Café']],
    [
      'Small Boats.png',
      { sessions: ['Small Boats', 'Small boats'] },
      ['banner of Small Boats', 'banner of Small boats'],
    ],
    ['Small boats.png', { sessions: ['Small boats'], people: [['Small', 'Boats']] }, ['banner of Small boats']],
    ['small-boats.photo.png', { sessions: ['Small boats'], people: [['Small', 'Boats']] }, ['photo of Small Boats']],
    ['small-boats.banner.png', { sessions: ['Small boats'], people: [['Small', 'Boats']] }, ['banner of Small boats']],
    ['Group photo.png', { sessions: ['Group photo'] }, ['banner of Group photo']],
    ['Group.photo.png', { sessions: ['Group'] }, ['photo of Group']],
    [
      'Müller.photo.png',
      {
        sessions: [
          ['A', 'Müller'],
          ['B', 'Muller'],
        ],
      },
      ['photo of Müller'],
    ],
    [
      'Jose Pena.png',
      {
        people: [
          ['José', 'Peña'],
          ['Jose', 'Pena'],
        ],
      },
      ['photo of Jose Pena'],
    ],
    ['José Peña.png', { sessions: [['A', 'Jose Pena']], people: [['José', 'Peña']] }, ['photo of José Peña']],
    [
      'किरण कुमार.png',
      {
        people: [
          ['करण', 'कुमार'],
          ['किरण', 'कुमार'],
        ],
      },
      ['photo of किरण कुमार'],
    ],
  ])('%s', async (file, world, targets) => {
    expect(await findTargets(world, file)).toEqual(targets)
  })
})

describe('a person is found with and without titles:', () => {
  test.each<[string, World, string[]]>([
    [
      'Ana Cruz.png',
      { sessions: [['A', 'Prof. Dr. Ana Cruz']], people: [['Ana', 'Cruz']] },
      ['photo of Ana Cruz', 'photo of Prof. Dr. Ana Cruz'],
    ],
    [
      'Dr. Ana Cruz.png',
      { sessions: [['A', 'Ana Cruz']], people: [['Ana', 'Cruz']] },
      ['photo of Ana Cruz', 'photo of Ana Cruz'],
    ],
    ['dr-ana-cruz.png', { people: [['Ana', 'Cruz']] }, ['photo of Ana Cruz']],
    ['prof_ana_cruz.png', { people: [['Ana', 'Cruz']] }, ['photo of Ana Cruz']],
    ['Ana Cruz.png', { sessions: [['A', 'Ana Cruz, PhD']] }, ['photo of Ana Cruz, PhD']],
    [
      'Ana Cruz.png',
      {
        people: [
          ['Dr. Ana', 'Cruz'],
          ['Ana', 'Cruz'],
        ],
      },
      ['photo of Ana Cruz'],
    ],
    [
      'Dr. Ana Cruz.png',
      {
        people: [
          ['Dr. Ana', 'Cruz'],
          ['Ana', 'Cruz'],
        ],
      },
      ['photo of Dr. Ana Cruz'],
    ],
    [
      'Müller.png',
      {
        sessions: [
          ['A', 'Dr. med. Müller'],
          ['B', 'Dr. Muller'],
        ],
        people: [['H.', 'Müller']],
      },
      ['photo of Dr. med. Müller'],
    ],
    [
      'H. Müller.png',
      {
        sessions: [
          ['A', 'H. Müller'],
          ['B', 'C. Müller'],
        ],
      },
      ['photo of H. Müller'],
    ],
    [
      'Lena Lang.png',
      {
        sessions: [
          ['A', 'Dipl.-Ing. Dr. h. c. Lena Lang'],
          ['B', 'Mag. Lena Lang'],
        ],
      },
      ['photo of Dipl.-Ing. Dr. h. c. Lena Lang', 'photo of Mag. Lena Lang'],
    ],
    ['Drew Mistry.png', { people: [['Drew', 'Mistry']] }, ['photo of Drew Mistry']],
  ])('%s, %j', async (file, world, targets) => {
    expect(await findTargets(world, file)).toEqual(targets)
  })
})

describe('a name that may mean several is reported, and nothing is taken:', () => {
  test.each<[string, World, string]>([
    [
      'DÉJEÛNER.png',
      { sessions: ['Dejeuner', 'Déjeuner'] },
      'Several sessions have a title like “DÉJEÛNER”: “Dejeuner”, “Déjeuner”. Name the file exactly as one of them, or by its id.',
    ],
    [
      'Renee Roy.png',
      { sessions: [['A', 'Rénée Roy']], people: [['Renée', 'Roy']] },
      'Several people have a name like “Renee Roy”: Renée Roy, Rénée Roy. Name the file exactly as one of them, or by e-mail address or employee number.',
    ],
    [
      'small-boats.png',
      { sessions: ['Small boats'], people: [['Small', 'Boats']] },
      'Both a person and a session are called “small-boats”. End the name of the file in “.photo” for the person, or in “.banner” for the session.',
    ],
    [
      'Ana Cruz.png',
      {
        people: [
          ['Dr. Ana', 'Cruz'],
          ['Prof. Ana', 'Cruz'],
        ],
      },
      'Several participants are called “Ana Cruz”: id 1, id 2. Name the file by e-mail address or employee number.',
    ],
  ])('%s', async (file, world, reason) => {
    expect(await findTargets(world, file)).toEqual(reason)
  })
})

test('an employee number is found in any case', async () => {
  await using t = await startTestApp()
  await make.participant(t, { employee_no: 'E7' })
  const participants = await listAllParticipants(t.ctx.database.read)
  const find = createTargetFinder({ events: [], speakers: [], participants }, undefined)
  for (const file of ['E7.png', 'e7.photo.png'])
    expect(find(file)).toMatchObject({ targets: [{ of: 'participant', kind: 'photo' }] })
})
