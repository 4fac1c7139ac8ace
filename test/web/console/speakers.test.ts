import { expect, test } from 'vitest'
import { signInToConsole } from './organizer.ts'
import { speakerOf, start } from './speakers.fixtures.ts'

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
