import sharp from 'sharp'
import { expect, test } from 'vitest'
import { startTestApp } from '../../app.ts'
import { attackTexts } from '../attacks.ts'
import { addConference } from '../read-page.ts'
import { type Organizer, signInToConsole } from './organizer.ts'

/** A summit with rooms, speakers, and an organizer. */
async function start() {
  const t = await startTestApp()
  await addConference(t)
  const eva = await signInToConsole(t)
  await eva.client.setRooms({ revision: 0, rooms: [{ name: 'Hall 1' }, { name: 'Hall 2' }] })
  await eva.client.setTracks({ revision: 0, tracks: [{ name: 'Hardware' }] })
  for (const name of ['Ana Cruz', 'José Álvarez', 'Kim', 'Kim']) await eva.client.createSpeaker({ name })
  return Object.assign(t, { eva })
}

/** @returns the id of a session that attendees see */
async function published({ client }: Organizer, members: Parameters<Organizer['client']['createEvent']>[0]) {
  const id = Number((await client.createEvent(members)).event.id)
  await client.publish({ events: [id] })
  return id
}

const draftOf = async ({ client }: Organizer, id: number) => (await client.getDraftEvent({ id })).event

async function picture(): Promise<File> {
  const drawn = await sharp({ create: { width: 320, height: 180, channels: 3, background: '#0b57d0' } })
    .png()
    .toBuffer()
  return new File([new Uint8Array(drawn)], 'banner.png', { type: 'image/png' })
}

/** What a field of a form shows. */
const shownIn = (page: string, name: string): string | undefined =>
  new RegExp(`name="${name}"[^>]*?value="([^"]*)"`).exec(page)?.[1] ??
  new RegExp(`<textarea[^>]*name="${name}"[^>]*>([^<]*)<`).exec(page)?.[1]

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

test('only an end that there is moves with the start', async () => {
  await using t = await start()
  const hint = 'It moves with the start.'
  expect((await t.eva.open('/console/sessions/new')).words).not.toContain(hint)
  await t.eva.client.createEvent({ title: 'Knots' })
  expect((await t.eva.open('/console/sessions/1')).words).not.toContain(hint)
  await t.eva.client.createEvent({ title: 'Sails', starts_at: '2030-05-02 09:00', ends_at: '2030-05-02 10:00' })
  expect((await t.eva.open('/console/sessions/2')).words).toContain(hint)
})

test('what is wrong with a session is said in the words of the form', async () => {
  await using t = await start()
  const early = { title: ' ', starts_at: '2030-05-02T10:00', ends_at: '2030-05-02T09:00' }
  const blank = await t.eva.submit('/console/sessions/new', 'Create session', early)
  expect(blank.text).toContain('<p class="error" id="field-title-error">Title must not be blank.</p>')
  const failed = await t.eva.submit(blank, 'Create session', { title: 'Knots' })
  expect(failed.text).toContain('<p class="error" id="field-ends_at-error">End must not be before Start.</p>')
})

test('a name of nobody, or of several, is said beside the field, and the speaker created without losing a word', async () => {
  await using t = await start()
  const { eva } = t
  const failed = await eva.submit('/console/sessions/new', 'Create session', {
    title: 'Knots',
    description: 'Bring a rope.',
    speaker_ids: ['Kim', 'Ana Cruz', 'Bo Berg'],
  })
  expect([failed.status, failed.words]).toEqual([422, expect.stringContaining('There is no speaker “Bo Berg”.')])
  expect(failed.words).toContain('Several speakers are called “Kim”. Write Kim (3) or Kim (4).')
  const added = await eva.submit(failed, 'Create the speaker “Bo Berg”')
  expect(added.words).toContain('“Bo Berg” is a speaker now. The session is not saved yet.')
  expect(shownIn(added.text, 'title')).toBe('Knots')
  const created = await eva.submit(added, 'Create session', { speaker_ids: ['Kim (4)', 'Ana Cruz', 'Bo Berg'] })
  expect(created.words).toContain('Created.')
  expect(await draftOf(eva, 1)).toMatchObject({
    speaker_ids: ['4', '1', '5'],
    description: '<p>Bring a rope.</p>',
  })
  const wrong = await eva.submit(created, 'Save', { title: 'Ropes', links: 'Slides', speaker_ids: ['Cy'] })
  const stillWrong = await eva.submit(wrong, 'Create the speaker “Cy”')
  expect((await eva.submit(stillWrong, 'Save')).words).toContain('Line 1 needs an address at its end')
  await eva.submit(stillWrong, 'Save', { links: '' })
  expect(await draftOf(eva, 1)).toMatchObject({ title: 'Ropes', links: [], speaker_ids: ['6'] })
})

test('what is not published is named as people read it, and discarded or published from there', async () => {
  await using t = await start()
  const { eva } = t
  const times = { starts_at: '2030-05-02 09:00', ends_at: '2030-05-02 10:00' }
  const id = await published(eva, { title: 'Boats', ...times, room_id: 1, speaker_ids: [1], description: '<p>A</p>' })
  expect((await eva.open(`/console/sessions/${id}`)).words).not.toContain('Not published')
  const saved = await eva.submit(`/console/sessions/${id}`, 'Save', {
    title: 'Small boats',
    starts_at: '2030-05-02T10:00',
    room_id: '2',
    speaker_ids: ['Ana Cruz', 'Kim (3)'],
    description: 'B',
  })
  expect(saved.words).toContain('Not published: Time: 2 May, 09:00–10:00 → 2 May, 10:00–11:00 ')
  for (const change of ['Title: Boats → Small boats', 'Room: Hall 1 → Hall 2', 'Speakers: Ana Cruz → Ana Cruz, Kim'])
    expect(saved.words).toContain(change)
  expect(saved.words).toContain('Description changed')
  expect(saved.text).toContain(`href="/console/publish?event=${id}"`)
  // What another has written since is not discarded with it.
  const { revision } = await draftOf(eva, id)
  await eva.client.updateEvent({ id, revision, subtitle: 'With oars' })
  const stale = await eva.submit(saved, 'Discard')
  expect(stale.words).toContain('A session was changed since this page was shown, so nothing was done.')
  expect(stale.words).toContain('Subtitle: – → With oars')
  expect(await draftOf(eva, id)).toMatchObject({ title: 'Small boats', subtitle: 'With oars' })
  const discarded = await eva.submit(stale, 'Discard')
  expect(discarded.words).toContain('Discarded. Attendees have seen nothing of it. Undo')
  expect(await draftOf(eva, id)).toMatchObject({ title: 'Boats', changes: [] })
  await eva.submit(discarded, 'Undo')
  expect((await draftOf(eva, id)).title).toBe('Small boats')
})

test('a session is cancelled and restored, for attendees too at once', async () => {
  await using t = await start()
  const { eva } = t
  const id = await published(eva, { title: 'Boats' })
  const path = `/console/sessions/${id}/cancel`
  expect((await eva.open(`/console/sessions/${id}`)).text).toContain(`<a class="button" href="${path}">`)
  const seen = async () => (await t.client.getScheduleEvent({ id })).event.is_cancelled
  const draft = await eva.submit(path, 'Cancel session')
  expect(draft.words).toContain('Status: takes place → Cancelled')
  expect(await seen()).toBe(false)
  await eva.submit(path, 'Restore session')
  expect(await draftOf(eva, id)).toMatchObject({ is_cancelled: false, changes: [] })

  const page = await eva.open(path)
  const cancelled = await eva.submit(page, 'Cancel and publish')
  expect(cancelled.words).toContain('Saved and published. Attendees see it now. Undo')
  expect([cancelled.path.split('?')[0], await seen()]).toEqual([`/console/sessions/${id}`, true])
  const stale = await eva.submit(page, 'Cancel and publish')
  expect([stale.status, stale.words]).toEqual([409, expect.stringContaining('A session was changed since')])
  await eva.submit(cancelled, 'Undo')
  expect([await seen(), (await draftOf(eva, id)).changes]).toEqual([false, []])
  await eva.submit(path, 'Cancel and publish')
  await eva.submit(path, 'Restore and publish')
  expect(await seen()).toBe(false)

  await eva.client.createEvent({ title: 'Ropes' })
  const fresh = await eva.open('/console/sessions/2/cancel')
  expect(fresh.text).toContain('<button class="primary">Cancel session</button>')
  expect(fresh.words).not.toContain('Cancel and publish')
})

test('a session is deleted and brought back', async () => {
  await using t = await start()
  const { eva } = t
  const id = await published(eva, { title: 'Boats' })
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

test('of two organizers at one session, the second sees what the first has changed, and both are right', async () => {
  await using t = await start()
  const { eva } = t
  const tom = await signInToConsole(t, 'tom@summit.example', ['editor'])
  const times = { starts_at: '2030-05-02 09:00', ends_at: '2030-05-02 10:00' }
  const id = await published(eva, { title: 'Boats', ...times, description: '<p>Old</p>', speaker_ids: [1] })
  const form = await tom.open(`/console/sessions/${id}`)
  await eva.submit(`/console/sessions/${id}`, 'Save', {
    starts_at: '2030-05-02T11:00',
    description: 'By Eva',
    room_id: '2',
    speaker_ids: ['Ana Cruz', 'Kim (3)'],
  })
  const stale = await tom.submit(form, 'Save', { starts_at: '2030-05-02T14:00', description: 'By Tom', subtitle: 'S' })
  expect([stale.status, stale.words]).toEqual([
    409,
    expect.stringContaining('This was changed meanwhile, by somebody else or in another tab.'),
  ])
  expect(stale.words).toContain('Changed meanwhile to: 2030-05-02T11:00')
  expect(stale.words).toContain('Changed meanwhile to: By Eva')
  expect(shownIn(stale.text, 'description')).toBe('By Tom')
  expect(shownIn(stale.text, 'subtitle')).toBe('S')
  await tom.submit(stale, 'Save')
  expect(await draftOf(eva, id)).toMatchObject({
    starts_at: '2030-05-02T14:00:00+02:00',
    description: '<p>By Tom</p>',
    subtitle: 'S',
    room_id: '2',
    speaker_ids: ['1', '3'],
  })
})

test('a text that was typed as plain stays so, where somebody else has given it formatting meanwhile', async () => {
  await using t = await start()
  const { eva } = t
  const id = await published(eva, { title: 'Boats', description: '<p>Old</p>' })
  const form = await eva.open(`/console/sessions/${id}`)
  const { revision } = await draftOf(eva, id)
  await eva.client.updateEvent({ id, revision, description: '<p><strong>Bold</strong></p>' })
  const untouched = await eva.submit(form, 'Save', { title: 'Small boats' })
  expect(untouched.words).toContain('shown as HTML')
  await eva.submit(untouched, 'Save')
  expect(await draftOf(eva, id)).toMatchObject({ title: 'Small boats', description: '<p><strong>Bold</strong></p>' })
  const stale = await eva.submit(form, 'Save', { description: '1 < 2' })
  expect(stale.words).toContain('Changed meanwhile to: <p><strong>Bold</strong></p>')
  await eva.submit(stale, 'Save')
  expect((await draftOf(eva, id)).description).toBe('<p>1 &lt; 2</p>')
})

test('a picture is added, shown, replaced and removed, and what is none is said beside its field', async () => {
  await using t = await start()
  const { eva } = t
  const id = Number((await eva.client.createEvent({ title: 'Boats' })).event.id)
  const path = `/console/sessions/${id}`
  const wrong = await eva.submit(path, 'Add the picture', {
    photo: new File(['hello'], 'a.png', { type: 'image/png' }),
  })
  expect([wrong.status, wrong.words]).toEqual([
    422,
    expect.stringContaining('The file is not an image in a supported format.'),
  ])
  const added = await eva.submit(path, 'Add the picture', { photo: await picture() })
  expect(added.words).toContain('The picture is saved. Undo')
  const [, source = ''] = /<img class="banner" src="(\/api\/program\/draft[^"]+)"/.exec(added.text) ?? []
  const image = await fetch(t.url + source, { headers: eva.headers })
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  const removed = await eva.submit(added, 'Remove the picture')
  expect(removed.text).not.toContain('<img class="banner"')
})

/** No page can show these without an error of parsers. */
const control = /(?![\r\n\t])\p{Cc}/u

test('whatever is stored, a form that was only opened and saved changes nothing', { timeout: 60_000 }, async () => {
  await using t = await start()
  const { eva } = t
  const texts = [
    ...attackTexts().filter((text) => !control.test(text)),
    'a\rb',
    '\n\nc',
    ' d ',
    'e, "f", g',
    '<p>h</p>\r\n<p>i<br>j</p>',
    '- k',
    '5 < 6 &amp; 7',
  ]
  let opened = 0
  // Each of them is in some field.
  for (let at = 0; at < texts.length; at += 4) {
    const [text = '', other = '', short = '', tag = ''] = texts.slice(at, at + 4)
    const inLine = (long: string) => long.replaceAll(/\s+/g, ' ').slice(0, 250) || '-'
    const [line, title] = [inLine(short), inLine(tag)]
    const members = {
      title: `${title}.`,
      subtitle: line,
      type: line,
      language: line,
      description: text,
      details: other,
    }
    const tags = [`${title}.`, 'x,y', 'z']
    const links = [{ rel: line, title, url: 'https://summit.example/?a=1&b=2' }]
    const created = await eva.client
      .createEvent({ ...members, tags, links, speaker_ids: [4, 1] })
      // Characters that are in no text are refused.
      .catch(() => undefined)
    if (!created) continue
    opened += 1
    const { event: before } = created
    const saved = await eva.submit(`/console/sessions/${before.id}`, 'Save')
    expect(saved.words, text).toContain('Nothing was changed.')
    const edited = await eva.submit(saved, 'Save', { license: 'CC BY 4.0' })
    expect(edited.words, text).toContain('Saved.')
    const { revision, license, ...after } = await draftOf(eva, Number(before.id))
    expect(after, text).toEqual({ ...before, revision: undefined, license: undefined })
  }
  expect(opened).toBeGreaterThan(texts.length / 8)
})

test('those without the role get no page of a session', async () => {
  await using t = await start()
  const id = await published(t.eva, { title: 'Boats' })
  const mia = await signInToConsole(t, 'mia@summit.example', ['reader'])
  for (const path of ['new', id, `${id}/move`, `${id}/cancel`])
    expect((await mia.open(`/console/sessions/${path}`)).status).toBe(403)
  for (const path of ['0', 'x', '99', '99/move', '99/cancel'])
    expect((await t.eva.open(`/console/sessions/${path}`)).status).toBe(404)
})
