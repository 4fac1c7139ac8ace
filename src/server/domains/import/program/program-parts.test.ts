import { describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/app.ts'
import { cancelEvent } from '../../program/events.ts'
import { groupPeople } from './match-people.ts'
import { findImportedEvents, importFile } from './program-import.fixtures.ts'
import {
  boats,
  fileOf,
  importMentions,
  type Mention,
  opening,
  sessionsOf,
  speakerRows,
  speakersSeen,
  toSpeaker,
  write,
} from './program-parts.fixtures.ts'
import { loadParts } from './program-parts-plan.ts'

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
    const count = (toMention: (at: number) => Mention) =>
      groupPeople([{ ...session, speakers: Array.from({ length: 100_000 }, (_, at) => toSpeaker(toMention(at))) }])
        .length
    const before = performance.now()
    expect(count((at) => ({ name: 'Ana Cruz', position: at % 2 ? `Member ${at}` : '' }))).toBe(50_001)
    expect(count((at) => ({ name: `Person ${at}`, key: '7' }))).toBeGreaterThan(99_000)
    expect(performance.now() - before).toBeLessThan(20_000)
  })
})

describe('the conference', () => {
  const conferenceRow = async (t: TestApp) => (await loadParts(t.ctx.database.read)).conference[0]
  const talks = (title: string, timeZone = 'Europe/Berlin') => fileOf([`${opening}Hall`], [], { title, timeZone })

  test('is what the file of the only program says, also where it has been corrected', async () => {
    await using t = await startTestApp()
    await importFile(t, 'talks', talks('Sumit'))
    await importFile(t, 'talks', talks('Summit', ''))
    expect(await conferenceRow(t)).toMatchObject({ title: 'Summit', time_zone: 'Europe/Berlin' })
  })

  test('is left alone while sessions of another program take place', async () => {
    await using t = await startTestApp()
    await importFile(t, 'talks', fileOf([`${opening}Hall`]))
    const workshops = fileOf([`${boats}Hall`], [], { title: 'Workshops', timeZone: 'Asia/Tokyo' })
    await importFile(t, 'workshops', workshops)
    expect(await conferenceRow(t)).toBeUndefined()
    await write(t, async (scope) => {
      for (const { id } of await findImportedEvents(scope.db, 'talks')) await cancelEvent(scope, id)
    })
    await importFile(t, 'workshops', workshops)
    expect(await conferenceRow(t)).toMatchObject({ title: 'Workshops', time_zone: 'Asia/Tokyo' })
  })
})
