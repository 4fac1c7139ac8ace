import { describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/app.ts'
import { defaultLimits } from '../../../../contract/limits.ts'
import { parseProgram } from '../formats/detect.ts'
import { importSessions } from './program-import.fixtures.ts'

const importRows = (t: TestApp, header: string, rows: readonly string[]) => {
  const { sessions } = parseProgram([header, ...rows].join('\n'), 'p.csv', defaultLimits)
  return importSessions(t, 'program', sessions)
}

const header = 'title,start,room,speaker'
const withId = `id,${header}`

/** The plan of the second of two imports, as the organizer sees it. */
async function planCorrection(before: readonly string[], after: readonly string[]): Promise<string[]> {
  await using t = await startTestApp()
  await importRows(t, header, before)
  return describePlan(await importRows(t, header, after))
}

const describePlan = (plan: Awaited<ReturnType<typeof importRows>>): string[] =>
  plan
    .filter(({ change }) => change !== 'unchanged')
    .map(({ change, title, whereAndWhen, differences }) =>
      [change, title, whereAndWhen.slice(-16), ...differences].join(' | '),
    )

const lunch = (day: number, time = '12:00', room = 'Foyer') => `Lunch,2030-05-0${day} ${time},${room},`
const talk = (title: string, speaker: string, time = '09:00', room = 'Hall') =>
  `${title},2030-05-01 ${time},${room},${speaker}`

describe('without an id column', () => {
  test('deleting the first of three sessions of one title cancels that one and moves none', async () => {
    expect(await planCorrection([lunch(1), lunch(2), lunch(3)], [lunch(2), lunch(3)])).toEqual([
      'cancelled | Lunch | 2030-05-01 12:00',
    ])
  })

  test('sessions of one title may be sorted differently', async () => {
    const rows = [lunch(1), lunch(1, '12:00', 'Garden'), lunch(2), talk('Lunch', 'Ana Cruz')]
    expect(await planCorrection(rows, rows.toReversed())).toEqual([])
  })

  test('of several sessions of one title, each that was moved is found on its own day', async () => {
    const plan = await planCorrection([lunch(1), lunch(2), lunch(3)], [lunch(2, '12:15'), lunch(3, '12:30')])
    expect(plan).toEqual([
      'moved | Lunch | 2030-05-02 12:15 | start “2030-05-02 12:00” → “2030-05-02 12:15” | end “2030-05-02 12:00” → “2030-05-02 12:15”',
      'moved | Lunch | 2030-05-03 12:30 | start “2030-05-03 12:00” → “2030-05-03 12:30” | end “2030-05-03 12:00” → “2030-05-03 12:30”',
      'cancelled | Lunch | 2030-05-01 12:00',
    ])
  })

  test.each([
    [
      'title of a talk',
      talk('Smal boats', 'Ana Cruz'),
      talk('Small boats', 'Ana Cruz'),
      'title “Smal boats” → “Small boats”',
    ],
    ['whole title of a talk', talk('TBA', 'Ana Cruz'), talk('Small boats', 'Ana Cruz'), 'title “TBA” → “Small boats”'],
    ['title without speaker', talk('Openning', ''), talk('Opening', ''), 'title “Openning” → “Opening”'],
    [
      'title and room',
      talk('Boats', 'Ana Cruz'),
      talk('Small boats', 'Ana Cruz', '09:00', 'Lab'),
      'title “Boats” → “Small boats” | room “Hall” → “Lab”',
    ],
  ])('a corrected %s is the same session, retitled', async (_, before, after, differences) => {
    const others = [talk('Big ships', 'Ben Day', '09:00', 'Lab 2'), talk('Rafts', 'Cy Ek', '10:00'), lunch(1)]
    expect(await planCorrection([...others, before], [after, ...others])).toEqual([
      `retitled | ${after.split(',')[0]} | 2030-05-01 09:00 | ${differences}`,
    ])
  })

  test('a corrected speaker is a change of the same session', async () => {
    expect(await planCorrection([talk('Boats', 'Ana Kruz'), lunch(1)], [talk('Boats', 'Ana Cruz'), lunch(1)])).toEqual([
      'changed | Boats | 2030-05-01 09:00 | speakers “Ana Kruz” → “Ana Cruz”',
    ])
  })

  test('two talks of one speaker that swap their times are moved, not retitled', async () => {
    const plan = await planCorrection(
      [talk('Boats', 'Ana Cruz', '09:00'), talk('Rafts', 'Ana Cruz', '10:00')],
      [talk('Rafts', 'Ana Cruz', '09:00'), talk('Boats', 'Ana Cruz', '10:00')],
    )
    expect(plan.map((line) => line.split(' | ').slice(0, 2))).toEqual([
      ['moved', 'Rafts'],
      ['moved', 'Boats'],
    ])
  })

  test('a different session of a different speaker in the same slot is a new one', async () => {
    expect(await planCorrection([talk('Boats', 'Ana Cruz'), lunch(1)], [talk('Cheese', 'Ben Day'), lunch(1)])).toEqual([
      'new | Cheese | 2030-05-01 09:00',
      'cancelled | Boats | 2030-05-01 09:00',
    ])
    expect(await planCorrection([talk('Yoga', ''), lunch(1)], [talk('Concert', ''), lunch(1)])).toEqual([
      'new | Concert | 2030-05-01 09:00',
      'cancelled | Yoga | 2030-05-01 09:00',
    ])
  })

  test('a session with another title on another day is another one, though of the same speaker in the same room', async () => {
    const closing = 'Thank you,2030-05-02 17:00,Hall,Ana Cruz'
    expect(await planCorrection([talk('Opening', 'Ana Cruz'), lunch(1)], [closing, lunch(1)])).toEqual([
      'new | Thank you | 2030-05-02 17:00',
      'cancelled | Opening | 2030-05-01 09:00',
    ])
  })

  test('a session in the slot of a cancelled one is a new one', async () => {
    await using t = await startTestApp()
    await importRows(t, header, [talk('Boats', 'Ana Cruz'), lunch(1)])
    await importRows(t, header, [lunch(1)])
    expect(describePlan(await importRows(t, header, [talk('Small boats', 'Ana Cruz'), lunch(1)]))).toEqual([
      'new | Small boats | 2030-05-01 09:00',
    ])
  })

  test('a retitled session is found again after every further correction', async () => {
    await using t = await startTestApp()
    for (const title of ['TBA', 'Boats', 'Small boats', 'Small boots'])
      await importRows(t, header, [talk(title, 'Ana Cruz'), lunch(1)])
    expect((await t.client.listEvents({ offset: 0, limit: 9 })).events.map(({ title }) => title)).toEqual([
      'Small boots',
      'Lunch',
    ])
  })
})

test('an id column that is added later gives the sessions their ids, and is what counts from then on', async () => {
  await using t = await startTestApp()
  await importRows(t, header, [talk('TBA', 'Ana Cruz'), lunch(1)])
  await importRows(t, header, [talk('Boats', 'Ana Cruz'), lunch(1), lunch(2)])

  const rows = [`b,${talk('Boats', 'Ana Cruz')}`, `l1,${lunch(1)}`, `l2,${lunch(2)}`]
  expect(describePlan(await importRows(t, withId, rows))).toEqual([
    'changed | Boats | 2030-05-01 09:00 | id added',
    'changed | Lunch | 2030-05-01 12:00 | id added',
    'changed | Lunch | 2030-05-02 12:00 | id added',
  ])
  expect(
    describePlan(await importRows(t, withId, [`b,${talk('Cheese', 'Ben Day', '20:00', 'Bar')}`, ...rows.slice(1)])),
  ).toEqual([expect.stringMatching(/^retitled \| Cheese/)])
})

test('sessions with ids are found by their values in a file that lost the ids', async () => {
  await using t = await startTestApp()
  await importRows(t, withId, [`b,${talk('Boats', 'Ana Cruz')}`, `l,${lunch(1)}`])
  expect(describePlan(await importRows(t, header, [lunch(1), talk('Small boats', 'Ana Cruz')]))).toEqual([
    'retitled | Small boats | 2030-05-01 09:00 | title “Boats” → “Small boats”',
  ])
  const again = await importRows(t, withId, [`b,${talk('Small boats', 'Ana Cruz')}`, `l,${lunch(1)}`])
  expect(describePlan(again)).toEqual([])
})

test('with an id, a session that gets another title, day, room and speaker is the same one', async () => {
  await using t = await startTestApp()
  await importRows(t, withId, [`b,${talk('Boats', 'Ana Cruz')}`, `l,${lunch(1)}`])
  expect(describePlan(await importRows(t, withId, ['b,Rafts,2030-05-02 20:00,Bar,Ben Day', `l,${lunch(1)}`]))).toEqual([
    expect.stringMatching(/^retitled \| Rafts \| 2030-05-02 20:00 \| title “Boats” → “Rafts”/),
  ])
})

test('a session whose id changed is the same one, if its title, start and room or speaker are', async () => {
  await using t = await startTestApp()
  await importRows(t, withId, [`1,${talk('Boats', 'Ana Cruz')}`, `2,${lunch(1)}`, `3,${talk('Rafts', 'Ben Day')}`])
  const plan = await importRows(t, withId, [
    `x1,${talk('Boats', 'Ana Cruz')}`,
    `x2,${lunch(1, '12:00', 'Garden')}`,
    `x3,${talk('Rafts', 'Ben Day', '11:00')}`,
  ])
  expect(describePlan(plan)).toEqual([
    'changed | Boats | 2030-05-01 09:00 | id “1” → “x1”',
    'moved | Lunch | 2030-05-01 12:00 | room “Foyer” → “Garden” | id “2” → “x2”',
    'new | Rafts | 2030-05-01 11:00',
    'cancelled | Rafts | 2030-05-01 09:00',
  ])
})
