import { expect, test } from 'vitest'
import { startTestApp } from '../../app.ts'
import { path, plan, start } from './import-participants.fixtures.ts'
import { signInToConsole } from './organizer.ts'

test('of each change both values are shown, long ones from where they differ, and those of a photo in words', async () => {
  await using t = await start()
  const { dora } = t
  const header = 'E-Mail,First name,Last name,Designation,Mobile,Photo'
  const sheet = (...cells: string[]) => new File([[header, cells.join(',')].join('\n')], 'people.csv')
  const long = 'Keeper of the boats and ropes '.repeat(8)
  const first = sheet('kim@x.example', 'כרם', '', `${long}at the pier`, '', '')
  await dora.submit(await dora.submit(path, plan, { file: first }), 'Import', { file: first })
  const file = sheet('kim@x.example', 'נעם', 'Lee', `${long}at the harbour`, '+47 1', 'https://x.example/kim.jpg')
  const planned = await dora.submit(path, plan, { file })
  expect(planned.text).toContain('first name “<bdi>כרם</bdi>” → “<bdi>נעם</bdi>”')
  for (const difference of [
    'last name none → “Lee”',
    'job title “…ts and ropes at the pier” → “…ts and ropes at the harbour”',
    'mobile number none → “+47 1”',
    'photo added',
  ])
    expect(planned.words).toContain(difference)
  expect(planned.text).not.toContain('kim.jpg')
})

test('only the desk imports participants, and only where they sign in', async () => {
  await using t = await start()
  const ed = await signInToConsole(t, 'ed@summit.example', ['editor'])
  expect((await ed.open(path)).status).toBe(403)
  expect((await ed.open('/console/import')).text).not.toContain(path)
  await using open = await startTestApp()
  const eva = await signInToConsole(open)
  expect((await eva.open(path)).status).toBe(404)
  expect((await eva.open('/console/import')).text).not.toContain(path)
})
