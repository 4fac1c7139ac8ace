import { describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/app.ts'
import { defaultLimits } from '../../../../contract/limits.ts'
import { parseProgram } from '../formats/detect.ts'
import { groupPeople } from './match-people.ts'
import { importSessions } from './program-import.fixtures.ts'
import { loadParts } from './program-parts-plan.ts'

const uuid = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`

interface Mention {
  name: string
  position?: string
  company?: string
  key?: string
  guid?: string
}

/** Sessions with one speaker each, an hour after each other. */
const sessionsOf = (mentions: readonly Mention[]) => {
  const rows = mentions.map(
    (_, at) => `s${at},Talk ${at},2030-05-0${1 + Math.floor(at / 20)} ${10 + (at % 10)}:00,Hall`,
  )
  const { sessions } = parseProgram(['id,title,start,room', ...rows].join('\n'), 'p.csv', defaultLimits)
  return mentions.map((mention, at) => ({
    ...(sessions[at] ?? expect.unreachable()),
    speakers: [{ position: '', company: '', key: '', guid: '', biography: '', photo: '', links: [], ...mention }],
  })) as typeof sessions
}

const importMentions = (t: TestApp, mentions: readonly Mention[]) => importSessions(t, 'program', sessionsOf(mentions))

/** The speaker of each session, with position and company. */
async function speakersSeen(t: TestApp) {
  const { events } = await t.client.listEvents({ offset: 0, limit: 100 })
  const programs = await Promise.all(events.map(async ({ id }) => (await t.client.getEvent({ id })).programs))
  return programs.map(({ speaker, position, company }) => [speaker, position, company].filter(Boolean).join(', '))
}

const speakerRows = async (t: TestApp) => (await loadParts(t.ctx.database.read)).speaker

describe('speakers of one name without ids', () => {
  const [chair, clerk, nameOnly] = [
    { name: 'Ana Cruz', position: 'Chair', company: 'Acme' },
    { name: 'Ana Cruz', position: 'Clerk', company: 'Other' },
    { name: 'Ana Cruz' },
  ]

  test.each([[[chair, clerk, nameOnly]], [[nameOnly, clerk, chair]], [[clerk, nameOnly, chair]]])(
    'are told apart by position and company, and a mere name is nobody of them, in any order: %j',
    async (mentions) => {
      await using t = await startTestApp()
      for (const _ of ['first', 'again']) await importMentions(t, mentions)
      expect(await speakersSeen(t)).toEqual(mentions.map((mention) => Object.values(mention).join(', ')))
      expect(await speakerRows(t)).toHaveLength(3)
    },
  )

  test.each([[[chair, nameOnly]], [[nameOnly, chair]]])(
    'are one person, if only one has a position: %j',
    async (mentions) => {
      await using t = await startTestApp()
      await importMentions(t, mentions)
      expect(await speakersSeen(t)).toEqual(['Ana Cruz, Chair, Acme', 'Ana Cruz, Chair, Acme'])
    },
  )

  test('are the same person with another position and company, if nobody else has the name', async () => {
    await using t = await startTestApp()
    await importMentions(t, [chair])
    await importMentions(t, [clerk])
    expect(await speakerRows(t)).toMatchObject([{ id: 1, position: 'Clerk' }])
  })

  test('are not each compared with each other', () => {
    const [session = expect.unreachable()] = sessionsOf([nameOnly])
    const mentions = (toMention: (at: number) => Mention) =>
      Array.from({ length: 100_000 }, (_, at) => ({ ...session.speakers[0], ...toMention(at) }))
    const count = (toMention: (at: number) => Mention) =>
      groupPeople([{ ...session, speakers: mentions(toMention) as typeof session.speakers }]).length
    const before = performance.now()
    expect(count((at) => ({ name: 'Ana Cruz', position: at % 2 ? `Member ${at}` : '' }))).toBe(50_001)
    expect(count((at) => ({ name: `Person ${at}`, key: '7' }))).toBeGreaterThan(99_000)
    expect(performance.now() - before).toBeLessThan(20_000)
  })
})

describe('speakers of one id', () => {
  test('are two persons, if their names do not resemble each other', async () => {
    await using t = await startTestApp()
    const mentions = [
      { name: 'Ana Cruz', key: '7' },
      { name: 'Ben Okafor', key: '7' },
      { name: 'Anna Cruz', key: '7' },
    ]
    for (const _ of ['first', 'again']) await importMentions(t, mentions)
    expect(await speakersSeen(t)).toEqual(['Ana Cruz', 'Ben Okafor', 'Ana Cruz'])
    expect(await speakerRows(t)).toHaveLength(2)
  })

  test('in a later file are two persons, if their names do not resemble each other', async () => {
    await using t = await startTestApp()
    await importMentions(t, [{ name: 'Ana Cruz', key: '7' }])
    await importMentions(t, [{ name: 'Ben Okafor', key: '7' }])
    expect(await speakerRows(t)).toMatchObject([{ name: 'Ana Cruz' }, { name: 'Ben Okafor' }])
    await importMentions(t, [{ name: 'Anna Cruz', key: '7' }])
    expect(await speakerRows(t)).toMatchObject([{ name: 'Anna Cruz' }, { name: 'Ben Okafor' }])
  })

  test('are one person by a guid, whatever their names', async () => {
    await using t = await startTestApp()
    await importMentions(t, [{ name: 'Ana Cruz', key: uuid(7), guid: uuid(7) }])
    await importMentions(t, [{ name: 'Ben Okafor', key: uuid(7), guid: uuid(7) }])
    expect(await speakerRows(t)).toMatchObject([{ id: 1, name: 'Ben Okafor' }])
  })
})
