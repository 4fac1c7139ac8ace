import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { defaultLimits } from '../../../contract/limits.ts'
import { parseProgram } from '../import/formats/detect.ts'
import { addConference, readFile, uuidOf } from './export-program.fixtures.ts'

const workshop = {
  ...{ title: 'Workshop', key: uuidOf('c1'), startsAt: '2030-05-02 09:00:00', endsAt: '2030-05-02 10:30:00' },
  ...{ room: 'Hall 1', track: 'Security', type: 'workshop', language: 'de', tags: ['beginners', 'tools'] },
  links: [{ rel: 'recording', title: '', url: 'https://media.example/workshop' }],
}

test.each(['all.json', 'gridsmart.json'])('%s is read as an export of Sessionize', async (file) => {
  await using t = await startTestApp()
  await addConference(t)
  await make.event(t, { title: 'Lunch', type: 'Service session' })
  const { format, sessions } = parseProgram(await readFile(t, file), file, defaultLimits)
  expect(format).toBe('Sessionize JSON')
  expect(sessions.map(({ title, cancelled, type }) => [title, cancelled, type]).sort()).toEqual([
    ['Lunch', false, 'Service session'],
    ['Party', true, ''],
    ['Workshop', false, 'workshop'],
  ])
  expect(sessions.find(({ title }) => title === 'Workshop')).toMatchObject(workshop)
})

test('all.json has speakers with all that Sessionize knows of them', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const { sessions } = parseProgram(await readFile(t, 'all.json'), 'all.json', defaultLimits)
  expect(sessions.find(({ title }) => title === 'Workshop')?.speakers).toMatchObject([
    {
      ...{ name: 'Ana Cruz', guid: uuidOf('b1'), position: 'Engineer', company: 'Summit Inc.' },
      ...{ biography: '<p>Builds bridges.</p>', photo: 'https://photos.example/ana.jpg' },
      links: [{ title: 'Blog', url: 'https://ana.example/' }],
    },
    { name: 'Ben', guid: uuidOf('b2'), position: '', company: '', biography: '', photo: '' },
  ])
})

test('gridsmart.json has the sessions of each time slot', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const [day] = JSON.parse(await readFile(t, 'gridsmart.json'))
  expect(day).toMatchObject({ date: '2030-05-02T00:00:00', rooms: [{ name: 'Bar' }, { name: 'Hall 1' }] })
  expect(day.timeSlots).toMatchObject([
    { slotStart: '09:00:00', rooms: [{ name: 'Hall 1', index: 1, session: { title: 'Workshop' } }] },
    { slotStart: '00:30:00', rooms: [{ name: 'Bar', index: 0, session: { title: 'Party' } }] },
  ])
})
