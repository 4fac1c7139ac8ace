import { expect, test } from 'vitest'
import { type AppWithKeys, startAppWithKeys } from '../../../../test/access/app-with-keys.ts'
import { startTestApp } from '../../../../test/app.ts'
import { encodings } from '../../../../test/contract/requests.ts'
import { inCommand } from '../../../../test/in-command.ts'
import * as make from '../../../../test/make.ts'
import { exportRows } from '../export/export.ts'
import { updateEvent } from '../program/events.ts'
import { loadEvents, removeEvent } from '../program/stored-events.ts'

/** The ids of the events that somebody has starred. */
const starsOf = async ({ client }: Pick<AppWithKeys['ana'], 'client'>): Promise<number[]> =>
  (await client.listStars({})).stars.map(({ event_id }) => Number(event_id))

const countRows = async ({ ctx }: AppWithKeys, table: 'star' | 'change') =>
  (await ctx.database.read.selectFrom(table).select('id').execute()).length

/** Ana and Ben, and three events. */
async function startWithEvents(): Promise<AppWithKeys> {
  const t = await startAppWithKeys('members')
  for (const title of ['Opening', 'Small boats', 'Party']) await make.event(t, { title })
  return t
}

test('participants star events on several devices, each of which sends what it knows', async () => {
  await using t = await startWithEvents()
  const { client } = t.ana
  const { stars } = await client.updateStars({ add: [3, 1, 404, 3] })
  expect(stars).toEqual([
    { event_id: '1', created_at: '2030-05-01 09:00:00' },
    { event_id: '3', created_at: '2030-05-01 09:00:00' },
  ])
  t.advance(60_000)
  // What exists stays as it is, and what does not stays away.
  expect(await client.updateStars({ add: [1, 2], remove: [3, 404] })).toEqual({
    stars: [
      { event_id: '1', created_at: '2030-05-01 09:00:00' },
      { event_id: '2', created_at: '2030-05-01 09:01:00' },
    ],
  })
  expect(await client.updateStars({ add: [2, 3], remove: [3, 2] })).toEqual(await client.listStars({}))
  expect(await starsOf(t.ana)).toEqual([1])
  expect(await client.updateStars({})).toEqual(await client.listStars({}))
})

test('a request that changes nothing logs nothing, and concurrent ones leave one star of an event', async () => {
  await using t = await startWithEvents()
  await Promise.all([1, 2, 3].map(() => t.ana.client.updateStars({ add: [1, 2] })))
  expect(await countRows(t, 'star')).toBe(2)
  const changes = await countRows(t, 'change')
  await t.ana.client.updateStars({ add: [2, 1], remove: [3] })
  expect(await countRows(t, 'change')).toBe(changes)
})

test('what a participant has starred is for nobody else: not for others, organizers, the log or an export', async () => {
  await using t = await startWithEvents()
  await t.ana.client.updateStars({ add: [2, 3] })
  await t.ben.client.updateStars({ add: [3] })
  expect([await starsOf(t.ana), await starsOf(t.ben)]).toEqual([[2, 3], [3]])
  await t.ben.client.updateStars({ remove: [2, 3] })
  expect([await starsOf(t.ana), await starsOf(t.ben)]).toEqual([[2, 3], []])

  const { envelope } = await t.owner.client.call('listStars', {})
  expect(envelope).toMatchObject({ response_code: 4040, data: { reason: 'PARTICIPANT_NOT_FOUND' } })
  const { changes } = await t.owner.client.listChanges({ offset: 0, limit: 3, kind: 'stars' })
  const { ana, ben } = t
  expect(changes.map(({ kind, record_id, participant_id }) => [kind, record_id, participant_id])).toEqual(
    [ben, ben, ana].map(({ participant }) => ['stars.updated', `${participant}`, `${participant}`]),
  )
  await t.ben.client.updateStars({ add: [3] })
  expect(await Array.fromAsync(exportRows(t.ctx, 'stars'))).toEqual([
    { id: 2, session: 'Small boats', stars: 1 },
    { id: 3, session: 'Party', stars: 2 },
  ])
})

test('the star of an event that is removed goes with it, and one of a hidden event is not shown', async () => {
  await using t = await startWithEvents()
  await t.ana.client.updateStars({ add: [1, 2] })
  const [first, second] = await loadEvents(t.ctx.database.read, [1, 2] as never)
  await inCommand(t, (scope) => removeEvent(scope, first as never))
  expect(await countRows(t, 'star')).toBe(1)
  const show = (is_deleted: number) =>
    inCommand(t, (scope) => updateEvent(scope, second?.row.id as never, { is_deleted }))
  await show(1)
  expect(await starsOf(t.ana)).toEqual([])
  expect(await t.ben.client.updateStars({ add: [2] })).toEqual({ stars: [] })
  expect(await Array.fromAsync(exportRows(t.ctx, 'stars'))).toEqual([])
  await show(0)
  expect(await starsOf(t.ana)).toEqual([2])
})

test.each([
  [{ add: 'x' }, 'add[0]', 'NOT_AN_INTEGER'],
  [{ add: [1, 0] }, 'add[1]', 'NOT_AN_INTEGER'],
  [{ add: [1], remove: [2, null] }, 'remove[1]', 'NOT_AN_INTEGER'],
  [{ add: [[1]] }, 'add[0]', 'NOT_AN_INTEGER'],
  [{ add: 5 }, 'add', 'NOT_AN_ARRAY'],
  [{ add: { 1: 1, x: 2 } }, 'add', 'NOT_AN_ARRAY'],
  [{ add: Array.from({ length: 501 }, (_, index) => index + 1) }, 'add', 'TOO_MANY'],
])('a list that is none of at most 500 ids is refused: %j', async (body, field, reason) => {
  await using t = await startWithEvents()
  const response = await make.send(t, 'PUT', '/api/me/stars', JSON.stringify(body), t.ana.headers)
  expect(response).toMatchObject({ response_code: 4220, data: { fields: [{ field, in: 'body', reason }] } })
  expect(await starsOf(t.ana)).toEqual([])
})

test('as many as a request may have are starred at once', async () => {
  await using t = await startAppWithKeys('members')
  for (let nth = 0; nth < 500; nth++) await make.event(t)
  const add = Array.from({ length: 500 }, (_, index) => index + 1)
  expect((await t.ana.client.updateStars({ add })).stars).toHaveLength(500)
  expect(await starsOf(t.ana)).toEqual(add)
  expect(await t.ana.client.updateStars({ remove: add })).toEqual({ stars: [] })
})

test.each(['json', 'urlencoded', 'multipart'] as const)(
  'a list may be sent as %s, and its only element as it is',
  async (encoding) => {
    await using t = await startWithEvents()
    const update = async (members: Record<string, unknown>) => {
      const { body, headers } = encodings[encoding](members)
      const response = await fetch(`${t.url}/api/me/stars`, {
        method: 'PUT',
        body: body as never,
        headers: { ...headers, ...t.ana.headers },
      })
      const [{ data }] = (await response.json()) as [{ data: { stars: { event_id: string }[] } }]
      return data.stars.map(({ event_id }) => Number(event_id))
    }
    expect(await update({ add: [1, '2'] })).toEqual([1, 2])
    expect(await update({ add: '3', remove: ['1'] })).toEqual([2, 3])
    expect(await update({ add: '', remove: '2' })).toEqual([3])
  },
)

test('where ACCESS is open there are no stars', async () => {
  await using t = await startTestApp()
  for (const path of ['/api/me/stars', '/api/me/calendar.ics'])
    expect(await make.send(t, 'GET', path)).toMatchObject({ response_code: 4041 })
})
