import { expect, test } from 'vitest'
import * as make from '../../../../test/make.ts'
import { publishEvent, startWithEditor } from './editing.fixtures.ts'

test('an editor changes the conference, which attendees see at once, and undoes it', async () => {
  await using t = await startWithEditor()
  const { editor, attendee } = t
  await publishEvent(editor, { title: 'Small boats', starts_at: '2030-05-02 09:00', ends_at: '2030-05-02 10:00' })
  const read = async () => (await attendee.getSchedule({})).schedule
  const first = (await editor.getDraft({})).draft.conference
  expect(first).toMatchObject({ title: '', revision: 0, first_day: '2030-05-02', hue: null, logo_url: null })

  const changed = {
    ...{ title: 'Summit 2030', acronym: 'summit30', url: 'https://summit.example/2030', time_zone: 'Asia/Manila' },
    ...{ first_day: '2030-05-01', last_day: '2030-05-03', slot_minutes: 15, hue: 0 },
  }
  const { conference } = await editor.updateConference({ revision: 0, ...changed })
  expect(conference).toEqual({ ...changed, logo_url: null, revision: 3 })
  expect((await read()).conference).toEqual({ ...changed, logo_url: null })
  expect((await read()).events).toMatchObject([{ starts_at: '2030-05-02T09:00:00+08:00' }])

  const cleared = { url: '', time_zone: '', first_day: '', last_day: '', slot_minutes: 0, hue: -1 }
  const { conference: second } = await editor.updateConference({ revision: 3, ...cleared })
  expect(second).toEqual({
    ...changed,
    ...{ url: '', time_zone: 'UTC', first_day: '2030-05-02', last_day: '2030-05-02', slot_minutes: null, hue: null },
    ...{ logo_url: null, revision: 4 },
  })
  await t.undo(4)
  expect((await read()).conference).toEqual({ ...changed, logo_url: null })
})

test('a form, too, clears the hue of the conference', async () => {
  await using t = await startWithEditor()
  const { editor } = t
  await editor.updateConference({ revision: 0, hue: 120 })
  const form = new URLSearchParams({ revision: '1', hue: '-1' })
  const { data } = await make.send(t, 'PUT', '/api/program/conference', form, t.owner.headers)
  expect(data).toMatchObject({ conference: { hue: null, revision: 2 } })
})

test('a conference that somebody else has changed, or that would end before it begins, stays as it is', async () => {
  await using t = await startWithEditor()
  const { editor } = t
  await editor.updateConference({ revision: 0, title: 'Summit', first_day: '2030-05-02' })
  await expect(editor.updateConference({ revision: 0, title: 'Other' })).rejects.toMatchObject({
    data: { reason: 'EVENT_CHANGED', current: { conference: { title: 'Summit', revision: 1 } } },
  })
  await expect(editor.updateConference({ revision: 1, last_day: '2030-05-01' })).rejects.toMatchObject({
    data: { fields: [{ field: 'last_day', reason: 'NOT_A_DATE' }] },
  })
  const faults = { url: 'ftp://summit.example', time_zone: 'Mars', first_day: 'today', slot_minutes: -5, hue: 360 }
  await expect(editor.updateConference({ revision: 1, ...faults })).rejects.toMatchObject({
    data: {
      fields: [
        { field: 'url', reason: 'NOT_A_URL' },
        { field: 'time_zone', reason: 'NOT_A_TIME_ZONE' },
        { field: 'first_day', reason: 'NOT_A_DATE' },
        { field: 'slot_minutes', reason: 'NOT_AN_INTEGER' },
        { field: 'hue', reason: 'NOT_AN_INTEGER' },
      ],
    },
  })
  expect((await editor.getDraft({})).draft.conference).toMatchObject({ title: 'Summit', revision: 1 })
})
