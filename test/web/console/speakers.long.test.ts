import { expect, test } from 'vitest'
import { createImage } from '../../../src/server/domains/participants/photo-changes.fixtures.ts'
import { addRecord } from '../../../src/server/domains/program/records.ts'
import { inCommand } from '../../in-command.ts'
import { readPage } from '../read-page.ts'
import { speakerOf, start } from './speakers.fixtures.ts'

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
