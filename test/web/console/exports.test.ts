import { expect, test } from 'vitest'
import { startAppWithKeys } from '../../access/app-with-keys.ts'
import { startTestApp } from '../../app.ts'
import * as make from '../../make.ts'
import { addConference } from '../read-page.ts'
import { signInToConsole } from './organizer.ts'

const filesOf = (page: string) => [...page.matchAll(/href="(\/api\/program\/export\/[^"]*)"/g)].map(([, path]) => path)

test('an organizer loads the program in every format, and copies addresses that anybody may read', async () => {
  await using t = await startTestApp()
  await addConference(t)
  await make.event(t, { title: 'Small boats' })
  const mia = await signInToConsole(t, 'mia@summit.example', ['reader'])
  const { text, words } = await mia.open('/console/exports')
  const files = filesOf(text)
  expect(files).toHaveLength(7)
  for (const file of files) {
    const response = await fetch(`${t.url}${file}`, { headers: mia.headers })
    expect([file, response.status]).toEqual([file, 200])
    expect(text).toContain(`${file}" data-copy`)
  }
  expect(words).toContain('Anybody can read these addresses.')
})

test('where people sign in, the page says how an app gets an address that it can read', async () => {
  await using t = await startAppWithKeys('members')
  await addConference(t)
  const eva = await signInToConsole(t)
  const { words } = await eva.open('/console/exports')
  expect(words).toContain('An app that cannot sign in needs a secret address')
  expect(words).not.toContain('Anybody can read')
})
