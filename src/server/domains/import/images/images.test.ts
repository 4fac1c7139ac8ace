import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../../test/app.ts'
import { inCommand } from '../../../../../test/in-command.ts'
import * as make from '../../../../../test/make.ts'
import { createTemporaryFolder } from '../../../../../test/temporary-folder.ts'
import type { EventId } from '../../../core/ids.ts'
import { listAllEvents, updateEvent } from '../../program/events.ts'
import { createPicture, importFolder } from './images.fixtures.ts'

test('files that are not images are skipped with the reason, and the others are attached', async () => {
  await using t = await startTestApp()
  await using folder = await createTemporaryFolder()
  const at = (name: string) => join(folder.path, name)
  await make.event(t)
  await createPicture().toFile(at('1.photo.png'))
  // A sparse file of 3 GiB.
  await writeFile(at('1.banner.png'), '')
  await truncate(at('1.banner.png'), 3 * 1024 ** 3)
  await mkdir(at('more.banner.png'))
  await symlink(at('1.photo.png'), at('x.photo.png'))
  await writeFile(at('.DS_Store'), '')

  expect(await importFolder(t, folder.path)).toEqual([
    { change: 'skipped', file: '1.banner.png', reason: 'The file is larger than 100 MiB.' },
    { change: 'new', file: '1.photo.png', target: 'photo of session 1 “Opening”' },
    { change: 'skipped', file: 'more.banner.png', reason: 'This is a folder; subfolders are not read.' },
    { change: 'skipped', file: 'x.photo.png', reason: 'This is a symbolic link; links are not followed.' },
  ])
})

test('a file whose name matches several events is attached only if the program is given', async () => {
  await using t = await startTestApp()
  await using folder = await createTemporaryFolder()
  await make.event(t, { title: 'Talk', source: 'talks', source_key: '2' })
  await make.event(t, { title: 'Party', source: 'fringe', source_key: '2' })
  await make.event(t, { title: 'Walk', source: 'fringe', source_key: 'w' })
  await createPicture().toFile(join(folder.path, '2.banner.png'))
  await createPicture().toFile(join(folder.path, 'w.banner.png'))
  const run = async (source?: string) => importFolder(t, folder.path, { source })

  const [two, w] = await run()
  expect(two).toEqual({
    change: 'skipped',
    file: '2.banner.png',
    reason:
      '2 is the guid of “Talk” in the program talks, and the guid of “Party” in the program fringe. Choose the program ' +
      'with --source NAME.',
  })
  expect(w).toEqual({ change: 'new', file: 'w.banner.png', target: 'banner of session 3 “Walk”' })
  expect(await run('talks')).toEqual([
    { change: 'new', file: '2.banner.png', target: 'banner of session 1 “Talk”' },
    {
      change: 'skipped',
      file: 'w.banner.png',
      reason:
        'No speaker or session of the program talks and no participant is called “w”, and none of its sessions has this guid.',
    },
  ])
})

test('of several files for one banner only the first is attached, regardless of case', async () => {
  await using t = await startTestApp()
  await using folder = await createTemporaryFolder()
  await make.event(t)
  const taken = 'Another file is the banner of session 1 “Opening”: 1.Banner.PNG.'
  await writeFile(join(folder.path, '1.banner.gif'), 'no picture')
  await createPicture().toFile(join(folder.path, '1.banner.png'))
  await writeFile(join(folder.path, '1.Banner.PNG'), await createPicture().toBuffer())
  expect(await importFolder(t, folder.path)).toEqual([
    { change: 'new', file: '1.Banner.PNG', target: 'banner of session 1 “Opening”' },
    { change: 'skipped', file: '1.banner.gif', reason: taken },
    { change: 'skipped', file: '1.banner.png', reason: taken },
  ])
})

test('the banners of .NET and C++ are those of no session with a similar title, and metadata of macOS is ignored', async () => {
  await using t = await startTestApp()
  await using folder = await createTemporaryFolder()
  for (const title of ['Intro to C++', 'Intro to C#', '.NET', 'Net']) await make.event(t, { title })
  for (const name of ['Intro to C++.png', '._Intro to C++.png', '.NET.png', '._Net.png', '.hidden.png'])
    await createPicture().toFile(join(folder.path, name))
  expect(await importFolder(t, folder.path)).toEqual([
    { change: 'new', file: '.NET.png', target: 'banner of session 3 “.NET”' },
    { change: 'new', file: 'Intro to C++.png', target: 'banner of session 1 “Intro to C++”' },
  ])
})

test('a file whose name is the id of one event and the guid of another is not attached', async () => {
  await using t = await startTestApp()
  await using folder = await createTemporaryFolder()
  await make.event(t, { title: 'Talk', source: 'program', source_key: '2' })
  await make.event(t, { title: 'Party' })
  await createPicture().toFile(join(folder.path, '2.banner.png'))
  const [result] = await importFolder(t, folder.path)
  expect(result?.reason).toContain('2 is the guid of “Talk” in the program program, and the id 2 of “Party”.')
})

test('a name that may mean several people, or a person and a session, is not guessed', async () => {
  await using t = await startTestApp()
  await using folder = await createTemporaryFolder()
  await make.participant(t, { email: 'ana@summit.example' })
  await make.participant(t, { employee_no: 'E7' })
  await make.participant(t, { first_name: 'Small', last_name: 'Boats' })
  await make.event(t, { title: 'Small boats' })
  for (const name of ['Ana Cruz.png', 'small boats.png', 'nobody.png'])
    await createPicture().toFile(join(folder.path, name))
  expect((await importFolder(t, folder.path)).map(({ reason }) => reason)).toEqual([
    'Several participants are called “Ana Cruz”: ana@summit.example, E7. Name the file by e-mail address or employee number.',
    'No session, speaker or participant is called “nobody”, and no session has this id or guid.',
    'Both a person and a session are called “small boats”. End the name of the file in “.photo” for the person, or in “.banner” for the session.',
  ])
})

test('a photo is that of the speaker, and of sessions with nobody else that have one of their own', async () => {
  await using t = await startTestApp()
  await using folder = await createTemporaryFolder()
  const photo = 'program/0/photo-former.jpg'
  await make.event(t, { title: 'Boats', speaker: 'Käthe Groß', photo })
  await make.event(t, { title: 'Ships', speaker: 'Özgür Yılmaz' })
  await make.event(t, { title: 'Duet', photo })
  const [kaethe, oezguer] = (await listAllEvents(t.ctx.database.read)).flatMap(({ speakers }) => speakers)
  await inCommand(t, async (scope) => {
    await updateEvent(scope, 2 as EventId, { speakers: [kaethe].flatMap((id) => id ?? []) })
    await updateEvent(scope, 3 as EventId, { speakers: [kaethe, oezguer].flatMap((id) => id ?? []) })
  })
  await createPicture().toFile(join(folder.path, 'kaethe_gross.png'))
  expect(await importFolder(t, folder.path)).toEqual([
    { change: 'new', file: 'kaethe_gross.png', target: 'photo of speaker 1 “Käthe Groß”' },
    { change: 'replaced', file: 'kaethe_gross.png', target: 'photo of session 1 “Boats”' },
  ])
  const photoOf = async (id: number) => (await t.client.readPhoto({ id })).headers.get('etag')
  expect(await photoOf(2)).toBe(await photoOf(1))
})

test("a participant's photo is served where the author's photoUrl leads, until it is another one", async () => {
  await using t = await startTestApp()
  await using folder = await createTemporaryFolder()
  await make.participant(t)
  await make.topic(t)
  const photoUrl = async () => (await t.client.getTopic({ topic_id: 1 })).NewsFeed[0]?.author.photoUrl ?? ''
  const file = join(folder.path, 'Ana Cruz.png')
  await createPicture().toFile(file)
  await importFolder(t, folder.path)
  const first = await photoUrl()
  const response = await fetch(first)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  expect(await sharp(Buffer.from(await response.arrayBuffer())).metadata()).toMatchObject({ width: 64, height: 64 })
  expect(await importFolder(t, folder.path)).toMatchObject([{ change: 'unchanged' }])
  await createPicture().negate({ alpha: false }).toFile(file)
  expect(await importFolder(t, folder.path)).toMatchObject([{ change: 'replaced' }])
  expect(await photoUrl()).not.toBe(first)
  expect(await (await fetch(first)).json()).toMatchObject([{ response_code: 4040 }])
})
