import { expect, test } from 'vitest'
import { createImage } from '../../../src/server/domains/participants/photo-changes.fixtures.ts'
import { addRecord } from '../../../src/server/domains/program/records.ts'
import { startTestApp } from '../../app.ts'
import { inCommand } from '../../in-command.ts'
import { addConference, readPage } from '../read-page.ts'
import { type Organizer, signInToConsole } from './organizer.ts'

const speakerOf = async ({ client }: Organizer, id = 1) => (await client.getDraftSpeaker({ id })).speaker

async function start() {
  const t = await startTestApp()
  await addConference(t)
  const eva = await signInToConsole(t)
  return { t, eva, [Symbol.asyncDispose]: () => t[Symbol.asyncDispose]() }
}

test('an editor adds a speaker once, however often the button is pressed, changes them, and takes it back', async () => {
  await using started = await start()
  const { eva } = started
  const form = await eva.open('/console/speakers/new')
  const ana = {
    name: 'Ana Cruz',
    position: 'Shipwright',
    company: 'Harbour Ltd',
    biography: 'Builds boats.\n\nAnd ropes.',
    'link_title-0': 'Blog',
    'link_url-0': 'https://ana.example',
    'link_title-1': 'Without an address',
  }
  const added = await eva.submit(form, 'Create speaker', ana)
  expect(added.words).toContain('Created. Attendees see speakers of published sessions. Undo')
  expect((await eva.submit(form, 'Create speaker', ana)).path).toBe(added.path)
  const stored = {
    ...{
      name: 'Ana Cruz',
      position: 'Shipwright',
      company: 'Harbour Ltd',
      biography: '<p>Builds boats.</p><p>And ropes.</p>',
    },
    links: [{ title: 'Blog', url: 'https://ana.example' }],
  }
  expect(await speakerOf(eva)).toMatchObject(stored)
  const changed = await eva.submit('/console/speakers/1', 'Save', {
    company: '',
    'link_url-0': '',
    'link_title-2': 'Boats',
    'link_url-2': 'https://boats.example',
  })
  expect(await speakerOf(eva)).toMatchObject({
    ...stored,
    company: '',
    links: [{ title: 'Boats', url: 'https://boats.example' }],
  })
  await eva.submit(changed, 'Undo')
  expect(await speakerOf(eva)).toMatchObject(stored)
  expect((await eva.submit('/console/speakers/1', 'Save')).words).toContain('Nothing was changed.')
})

test('what is wrong with a speaker is said beside its field, and what was typed stays', async () => {
  await using started = await start()
  const { eva } = started
  const failed = await eva.submit('/console/speakers/new', 'Create speaker', {
    name: ' ',
    'link_title-1': 'Boats',
    'link_url-1': 'boats',
  })
  expect([failed.status, failed.words]).toEqual([422, expect.stringContaining('2 fields need another value.')])
  expect(failed.text).toContain('<p class="error" id="field-name-error">Name must not be blank.</p>')
  expect(failed.words).toContain('Address of link 2 must be an http or https URL without a user name.')
  expect(failed.text).toContain('value="Boats"')
  await eva.submit(failed, 'Create speaker', { name: 'Ana', 'link_url-1': 'https://boats.example' })
  expect(await speakerOf(eva)).toMatchObject({
    name: 'Ana',
    links: [{ title: 'Boats', url: 'https://boats.example' }],
  })
})

test('of two editors of a speaker, the second sees what the first has changed, and loses nothing', async () => {
  await using started = await start()
  const { t, eva } = started
  const tom = await signInToConsole(t, 'tom@summit.example', ['editor'])
  await eva.client.createSpeaker({ name: 'Ana', links: [{ title: 'Blog', url: 'https://ana.example' }] })
  const form = await tom.open('/console/speakers/1')
  await eva.submit('/console/speakers/1', 'Save', {
    name: 'Ana Cruz',
    'link_title-1': 'Boats',
    'link_url-1': 'https://boats.example',
  })
  const stale = await tom.submit(form, 'Save', { name: 'Ana C.', company: 'Harbour Ltd' })
  expect([stale.status, stale.words]).toEqual([409, expect.stringContaining('Changed meanwhile to: Ana Cruz')])
  await tom.submit(stale, 'Save')
  expect(await speakerOf(eva)).toMatchObject({
    name: 'Ana C.',
    company: 'Harbour Ltd',
    links: [{ title: 'Blog' }, { title: 'Boats' }],
  })
})

test('a photo is chosen, shown also before attendees see the speaker, replaced and removed', async () => {
  await using started = await start()
  const { t, eva } = started
  await eva.client.createSpeaker({ name: 'Ana Cruz' })
  const file = new File([await createImage()], 'ana.jpg', { type: 'image/jpeg' })
  const added = await eva.submit('/console/speakers/1', 'Add the picture', { photo: file })
  expect(added.words).toContain('Saved. Attendees see it already. Undo')
  expect(added.text).toContain('<img src="/api/program/draft/speakers/1/photo" alt="Ana Cruz"')
  const photo = await fetch(`${t.url}/api/program/draft/speakers/1/photo`, { headers: eva.headers })
  expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  const text = new File(['no picture'], 'ana.jpg', { type: 'image/jpeg' })
  const failed = await eva.submit(added, 'Replace the picture', { photo: text })
  expect([failed.status, failed.words]).toEqual([422, expect.stringContaining('Choose the file again.')])
  const none = await eva.submit(added, 'Replace the picture')
  expect(none.text).toContain('<p class="error" id="field-photo-error">Choose an image.</p>')
  await eva.submit('/console/speakers/1', 'Remove the picture')
  expect((await speakerOf(eva)).photo_url).toBeNull()
})

test('the list finds speakers by words, and those without a session or photo, or with one on another site', async () => {
  await using started = await start()
  const { t, eva } = started
  await eva.client.createSpeaker({ name: 'Zoë Ångström', company: 'Harbour Ltd' })
  await eva.client.createSpeaker({ name: 'Ana Cruz' })
  await inCommand(t, (scope) =>
    addRecord(scope, 'speaker', { name: 'Mia Low', photo: 'https://elsewhere.example/mia.jpg' }),
  )
  await eva.client.createEvent({ title: 'Small boats', speaker_ids: [2] })
  const namesAt = async (query: string) =>
    [...(await eva.open(`/console/speakers${query}`)).text.matchAll(/<b dir="auto">([^<]*)<\/b>/g)].map(
      ([, name]) => name,
    )
  expect(await namesAt('')).toEqual(['Ana Cruz', 'Mia Low', 'Zoë Ångström'])
  expect(await namesAt('?q=angstrom')).toEqual(['Zoë Ångström'])
  expect(await namesAt('?q=harbour+zoe')).toEqual(['Zoë Ångström'])
  expect(await namesAt('?show=sessionless')).toEqual(['Mia Low', 'Zoë Ångström'])
  expect(await namesAt('?show=faceless')).toEqual(['Ana Cruz', 'Zoë Ångström'])
  expect(await namesAt('?show=elsewhere')).toEqual(['Mia Low'])
  expect(await namesAt('?show=constructor')).toHaveLength(3)
  const page = await eva.open('/console/speakers')
  expect(page.words).toContain('One photo is on another site.')
  expect(page.text).not.toContain('<img src="https://')
  const mia = await eva.open('/console/speakers/3')
  expect(mia.words).toContain('The photo is on another site, so attendees see initials.')
  expect(mia.text).toContain('<a href="https://elsewhere.example/mia.jpg"')
})

test('a list of more than fifty speakers has pages, also of those that are wanted', async () => {
  await using started = await start()
  const { eva } = started
  for (let n = 10; n < 65; n++) await eva.client.createSpeaker({ name: `Speaker ${n}` })
  const first = await eva.open('/console/speakers?show=sessionless')
  expect(first.words).toContain('Speaker 59')
  expect(first.words).not.toContain('Speaker 60')
  const [, next = ''] = /rel="next" href="([^"]*)"/.exec(first.text) ?? []
  const second = await eva.open(next.replaceAll('&#38;', '&'))
  expect(second.words).toContain('Speaker 64')
  expect(second.words).not.toContain('Speaker 59')
})

test('an erasure says before that it cannot be undone, and whose sessions stay', async () => {
  await using started = await start()
  const { t, eva } = started
  await eva.client.createSpeaker({ name: 'Ana Cruz' })
  await eva.client.createEvent({ title: 'Small boats', speaker_ids: [1] })
  expect((await eva.open('/console/speakers/1')).text).toContain('href="/console/speakers/1/erase"')
  const page = await eva.open('/console/speakers/1/erase')
  expect(page.words).toContain('This cannot be undone')
  expect(page.text).toContain('<a href="/console/sessions/1" dir="auto">Small boats</a>')
  await eva.submit('/console/speakers/1', 'Save', { name: 'Ana María Cruz' })
  // Somebody else has changed her meanwhile, so the page asks again, with what is there by now.
  const stale = await eva.submit(page, 'Erase Ana Cruz for good')
  expect(stale.status).toBe(409)
  const erased = await eva.submit(stale, 'Erase Ana María Cruz for good')
  expect([erased.path, erased.words]).toEqual([
    '/console/speakers?erased=1',
    expect.stringContaining('The speaker has been erased.'),
  ])
  expect((await readPage(t, '/console/speakers/1', eva.headers)).status).toBe(404)
  expect((await eva.client.getDraft({})).draft.events).toMatchObject([{ title: 'Small boats', speaker_ids: [] }])
})
