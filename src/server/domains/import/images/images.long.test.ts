import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../../../../test/app.ts'
import * as make from '../../../../../test/make.ts'
import { setUpSharedApp } from '../../../../../test/shared-app.ts'
import { createTemporaryFolder } from '../../../../../test/temporary-folder.ts'
import { createPicture, importFolder } from './images.fixtures.ts'

test('images that take too much memory or time are skipped, and the others are attached', async () => {
  await using t = await startTestApp()
  await using folder = await createTemporaryFolder()
  await make.event(t)
  await make.event(t)
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.from(`${type}\0\0\0\0`, 'latin1')
    head.writeUInt32LE(data.length, 4)
    return Buffer.concat([head, data])
  }
  const still = await createPicture().webp().withXmp('<x/>').toBuffer()
  const [extended, frame] = [still.subarray(12, 30), still.subarray(30, still.indexOf('XMP '))]
  const webp = (...parts: Buffer[]) => chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...parts]))
  const metadata = Buffer.alloc(100_000_000, chunk('XMP ', Buffer.from('ab')))
  await writeFile(join(folder.path, '1.banner.webp'), webp(extended, frame, metadata))
  const animated = Buffer.from(extended)
  animated[8] = 2
  const frames = chunk(
    'ANMF',
    Buffer.concat([Buffer.from('000000000000 3f0000 3f0000 640000 00'.replaceAll(' ', ''), 'hex'), frame]),
  )
  const film = Buffer.alloc(Math.floor(100_000_000 / frames.length) * frames.length, frames)
  await writeFile(join(folder.path, '1.photo.webp'), webp(animated, chunk('ANIM', Buffer.alloc(6)), film))
  await createPicture().toFile(join(folder.path, '2.photo.png'))
  expect(await importFolder(t, folder.path)).toEqual([
    // Near the memory limit: whether it is accepted depends on the memory that Node itself uses.
    expect.objectContaining({ file: '1.banner.webp' }),
    { change: 'skipped', file: '1.photo.webp', reason: 'The image takes too long to decode.' },
    { change: 'new', file: '2.photo.png', target: 'photo of session 2 “Opening”' },
  ])
})

describe('an image is attached to every participant, speaker and session that its name matches:', () => {
  const app = setUpSharedApp({}, async (t) => {
    await make.participant(t, { email: 'Ana@summit.example' })
    await make.participant(t, { first_name: 'Jürgen', last_name: 'Große' })
    await make.event(t, { title: 'Small boats', speaker: 'Ana Cruz' })
    await make.event(t, { title: 'Dejeuner', speaker: 'Ana Cruz, Lars Holm' })
    await make.event(t, { title: 'Déjeuner' })
  })

  test.each([
    ['Ana Cruz.png', ['photo of participant 1 Ana Cruz', 'photo of speaker 1 “Ana Cruz”']],
    ['ana_cruz-photo.PNG', ['photo of participant 1 Ana Cruz', 'photo of speaker 1 “Ana Cruz”']],
    ['CRUZ, Ana.png', ['photo of participant 1 Ana Cruz', 'photo of speaker 1 “Ana Cruz”']],
    ['Jurgen Grosse.png', ['photo of participant 2 Jürgen Große']],
    ['JuergenGrosse.png', ['photo of participant 2 Jürgen Große']],
    ['ana@summit.example.png', ['photo of participant 1 Ana Cruz']],
    ['small-boats.png', ['banner of session 1 “Small boats”']],
    ['Small boats.photo.png', ['photo of session 1 “Small boats”']],
    ['Déjeuner.banner.png', ['banner of session 3 “Déjeuner”']],
  ])('an organizer names a file %s', async (file, targets) => {
    await using folder = await createTemporaryFolder()
    await createPicture().toFile(join(folder.path, file.replace(/PNG$/, 'png')))
    const planned = await importFolder(app(), folder.path, { apply: false })
    expect(planned.map(({ change, target }) => [change, target])).toEqual(targets.map((target) => ['new', target]))
  })
})
