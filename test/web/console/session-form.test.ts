import { expect, test } from 'vitest'
import { signInToConsole } from './organizer.ts'
import { draftOf, published, start } from './session-form.fixtures.ts'

test('an organizer writes a session, sees that nobody else does, and corrects it', async () => {
  await using t = await start()
  const { eva } = t
  const form = {
    title: 'Small boats',
    starts_at: '2030-05-02T09:00',
    ends_at: '2030-05-02T10:00',
    room_id: '1',
    speaker_ids: ['jose alvarez', '', 'Ana Cruz'],
    tags: 'ropes, "wind, waves"',
    links: 'My slides https://summit.example/s\r\nhttps://summit.example/t',
    description: 'All about knots.\r\n\r\n- reef\r\n- bowline\r\n\r\nSee https://summit.example.',
  }
  const created = await eva.submit('/console/sessions/new', 'Create session', form)
  expect(created.path).toMatch(/^\/console\/sessions\/1\?done=\d+$/)
  expect(created.words).toContain('Created. Attendees see it once it is published. Undo')
  expect(created.words).toContain('2 May, 09:00–10:00, Hall 1 Not published')
  expect(await draftOf(eva, 1)).toMatchObject({
    title: 'Small boats',
    starts_at: '2030-05-02T09:00:00+02:00',
    room_id: '1',
    speaker_ids: ['2', '1'],
    tags: ['ropes', 'wind, waves'],
    links: [
      { rel: '', title: 'My slides', url: 'https://summit.example/s' },
      { rel: '', title: '', url: 'https://summit.example/t' },
    ],
    description:
      '<p>All about knots.</p><ul><li>reef</li><li>bowline</li></ul>' +
      '<p>See <a href="https://summit.example" rel="noopener noreferrer">https://summit.example</a>.</p>',
  })
  // Nothing is changed by opening and saving it.
  expect((await eva.submit(created, 'Save')).words).toContain('Nothing was changed.')
  const later = await eva.submit('/console/sessions/1', 'Save', {
    starts_at: '2030-05-02T11:00',
    room_id: '',
    track_id: '1',
    speaker_ids: ['Ana Cruz', ''],
    tags: '',
    do_not_record: 'true',
  })
  expect(later.words).toContain('Saved. Undo')
  expect(await draftOf(eva, 1)).toMatchObject({
    ends_at: '2030-05-02T12:00:00+02:00',
    room_id: null,
    track_id: '1',
    speaker_ids: ['1'],
    tags: [],
    do_not_record: true,
  })
  await eva.submit('/console/sessions/1', 'Save', { do_not_record: [], starts_at: '', ends_at: '' })
  expect(await draftOf(eva, 1)).toMatchObject({ do_not_record: false, starts_at: null, ends_at: null })
  expect((await t.client.getSchedule({})).schedule.events).toEqual([])
})

test('what is wrong with a session is said in the words of the form', async () => {
  await using t = await start()
  const early = { title: ' ', starts_at: '2030-05-02T10:00', ends_at: '2030-05-02T09:00' }
  const blank = await t.eva.submit('/console/sessions/new', 'Create session', early)
  expect(blank.text).toContain('<p class="error" id="field-title-error">Title must not be blank.</p>')
  const failed = await t.eva.submit(blank, 'Create session', { title: 'Knots' })
  expect(failed.text).toContain('<p class="error" id="field-ends_at-error">End must not be before Start.</p>')
})

test('a session is cancelled and restored, deleted and brought back', async () => {
  await using t = await start()
  const { eva } = t
  const id = await published(eva, { title: 'Boats' })
  const cancelled = await eva.submit(`/console/sessions/${id}`, 'Cancel session')
  expect(cancelled.words).toContain('Status: takes place → Cancelled')
  expect(cancelled.words).toContain('attendees see it crossed out')
  await eva.submit(cancelled, 'Restore session')
  expect(await draftOf(eva, id)).toMatchObject({ is_cancelled: false, changes: [] })
  const deleted = await eva.submit(`/console/sessions/${id}`, 'Delete session')
  expect(deleted.path).toMatch(/^\/console\/sessions\?done=\d+$/)
  const page = await eva.open(`/console/sessions/${id}`)
  expect(page.words).toContain('Deleted: attendees see it until this is published.')
  await eva.submit(page, 'Keep the session')
  expect((await draftOf(eva, id)).is_deleted).toBe(false)
  const unseen = Number((await eva.client.createEvent({ title: 'Knots' })).event.id)
  const gone = await eva.submit(`/console/sessions/${unseen}`, 'Delete session')
  expect((await eva.open(`/console/sessions/${unseen}`)).status).toBe(404)
  await eva.submit(`/console/history?${gone.path.split('?')[1]}`, 'Undo')
  expect((await draftOf(eva, unseen)).title).toBe('Knots')
})

test('those without the role get no page of a session', async () => {
  await using t = await start()
  const id = await published(t.eva, { title: 'Boats' })
  const mia = await signInToConsole(t, 'mia@summit.example', ['reader'])
  for (const path of ['new', id, `${id}/move`]) expect((await mia.open(`/console/sessions/${path}`)).status).toBe(403)
  for (const path of ['0', 'x', '99', '99/move'])
    expect((await t.eva.open(`/console/sessions/${path}`)).status).toBe(404)
})
