import { expect, test } from 'vitest'
import { startTestApp } from '../../app.ts'
import { path, plan, start } from './import-participants.fixtures.ts'
import { signInToConsole } from './organizer.ts'

const csv = (...lines: string[]) =>
  new File([['E-Mail,First name,Last name,Designation', ...lines].join('\n')], 'people.csv')

test('the desk sees what a list would change, imports those that it ticks, and is told how it can be taken back', async () => {
  await using t = await start()
  const { dora } = t
  const file = csv('kim@x.example,Kim,Lee,Harbour', 'lou@x.example,Lou,May,', 'lou@x.example,Lou,Twin,', ',No,Address,')
  const planned = await dora.submit(path, plan, { file })
  expect(planned.words).toContain('2 new')
  expect(planned.words).toMatch(/Look at this first 2 remarks on lines Left out line 4: .* Left out line 5:/)
  const [kim = ''] = [...planned.text.matchAll(/name="only" value="([^"]*)"/g)].map(([, value = '']) =>
    value.replaceAll('&#60;', '<').replaceAll('&#62;', '>'),
  )
  const done = await dora.submit(planned, 'Import', { file, only: [kim] })
  expect(done.words).toContain('1 participant was imported.')
  expect(done.words).toMatch(/this command takes the import back: summit import undo \d+ --apply/)
  expect(await t.names()).toContain('Kim Lee')
  expect(await t.names()).not.toContain('Lou May')
  const again = await dora.submit(path, plan, { file: csv('kim@x.example,Kim,Lee,Pier') })
  expect(again.words).toContain('1 changed')
  expect(again.words).toContain('Kim Lee <kim@x.example> job title “Harbour” → “Pier” line 2')
})

test('a list that has changed meanwhile is shown as it is now, and one that is none says why', async () => {
  await using t = await start()
  const { dora } = t
  const file = csv('kim@x.example,Kim,Lee,Harbour', 'lou@x.example,Lou,May,')
  const planned = await dora.submit(path, plan, { file })
  const other = await dora.submit(path, plan, { file: csv('lou@x.example,Lou,May,') })
  await dora.submit(other, 'Import', { file: csv('lou@x.example,Lou,May,') })
  const stale = await dora.submit(planned, 'Import', { file })
  expect([stale.status, stale.words]).toEqual([409, expect.stringContaining('The participants have changed since')])
  expect(stale.words).toContain('1 new')
  await dora.submit(stale, 'Import', { file })
  expect(await t.names()).toContain('Kim Lee')
  for (const [bad, sentence] of [
    [new File([''], 'people.csv'), 'The file is empty.'],
    [new File(['PK\x03\x04'], 'people.xlsx'), 'Save or download it again.'],
    [new File(['Colour\nred'], 'people.csv'), 'e-mail'],
  ] as const) {
    const { status, words } = await dora.submit(path, plan, { file: bad })
    expect([status, words]).toEqual([422, expect.stringContaining(sentence)])
    expect(words).toContain('This file cannot be imported. Nothing has been changed.')
  }
})

test('where participants do not sign in, the page of imports says where and how they are imported', async () => {
  await using t = await startTestApp()
  const eva = await signInToConsole(t)
  expect((await eva.open('/console/import')).words).toMatch(
    /A list of participants is imported here where they sign in .* import participants/,
  )
})
