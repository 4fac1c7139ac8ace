import { expect, test, vi } from 'vitest'
import { createImage } from '../../../src/server/domains/participants/photo-changes.fixtures.ts'
import { startTestApp } from '../../app.ts'
import * as make from '../../make.ts'
import { addConference } from '../read-page.ts'
import { signInToConsole } from './organizer.ts'

// Each picture and each plan takes a process.
vi.setConfig({ testTimeout: 60_000 })

const path = '/console/import/images'

test('an editor sees by their names where pictures go, sends them, and takes them back', async () => {
  await using t = await startTestApp()
  await addConference(t)
  await make.event(t, { title: 'Small boats', speaker: 'Ana Cruz' })
  const eva = await signInToConsole(t)
  const photoOf = async () => (await t.client.getSchedule({})).schedule.speakers[0]?.photo_url ?? null

  const planned = await eva.submit(path, 'Show where they go', {
    names: ['Ana Cruz.png', 'small-boats.png', 'Nobody.png'],
  })
  expect(planned.words).toContain(
    'Where these pictures go 1 picture left out Nobody.png No session or speaker is called',
  )
  expect(planned.words).toMatch(/2 pictures found a session or speaker Ana Cruz.png Photo of Ana Cruz small-boats.png/)
  expect(await photoOf()).toBeNull()

  const toFile = async (name: string) => new File([await createImage('#933')], name)
  const done = await eva.submit(planned, 'Import', {
    uploaded_files: [await toFile('Ana Cruz.png'), new File(['no picture'], 'Small boats.png')],
  })
  expect(done.words).toContain('The pictures are imported. Attendees see them already. Undo')
  expect(done.words).toContain('Where these pictures went 1 picture left out Small boats.png')
  expect(await photoOf()).toContain('/api/program/speakers/1/photo')
  const undone = await eva.submit(done, 'Undo')
  expect([undone.path.split('?')[0], undone.words]).toEqual([path, expect.stringContaining('Undone.')])
  expect(await photoOf()).toBeNull()
})

test('without a picture, or with too many at once, the page says what to do', async () => {
  await using t = await startTestApp()
  await addConference(t)
  await make.event(t, { title: 'Small boats' })
  const eva = await signInToConsole(t)
  expect((await eva.submit(path, 'Show where they go', { names: [''] })).words).toContain(
    'Choose at least one picture.',
  )
  const planned = await eva.submit(path, 'Show where they go', { names: ['Small boats.png'] })
  const many = Array.from({ length: 11 }, (_, index) => new File(['x'], `${index}.png`))
  const failed = await eva.submit(planned, 'Import', { uploaded_files: many })
  expect(failed.words).toContain('at most 10')
})

test('pictures for sessions of several programs are only for those of the program that is named', async () => {
  await using t = await startTestApp()
  await addConference(t)
  await make.event(t, { title: 'Boats', source: 'talks', source_key: '7' })
  await make.event(t, { title: 'Boats', source: 'fringe', source_key: '8' })
  const eva = await signInToConsole(t)
  const planned = await eva.submit(path, 'Show where they go', { names: ['Boats.png'], source: 'fringe' })
  expect(planned.words.match(/Banner of/g)).toHaveLength(1)
  await eva.submit(planned, 'Import', { uploaded_files: new File([await createImage('#933')], 'Boats.png') })
  const { events } = (await t.client.getSchedule({})).schedule
  expect(events.map(({ banner_url }) => banner_url !== null)).toEqual([false, true])
})
