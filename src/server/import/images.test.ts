import { mkdir, mkdtempDisposable, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import * as make from '../../../test/make.ts'
import { importImages } from './images.ts'

const picture = () => sharp({ create: { width: 64, height: 64, channels: 3, background: '#369' } }).png()

test('files that are not images are skipped with the reason, and the others are attached', async () => {
  await using t = await testApp()
  await using folder = await mkdtempDisposable(join(tmpdir(), 'summit-test-'))
  const at = (name: string) => join(folder.path, name)
  const id = await make.event(t)
  await picture().toFile(at(`${id}.photo.png`))
  // A sparse file of 3 GiB.
  await writeFile(at(`${id}.banner.png`), '')
  await truncate(at(`${id}.banner.png`), 3 * 1024 ** 3)
  await mkdir(at('more.banner.png'))
  await symlink(at(`${id}.photo.png`), at('x.photo.png'))
  await writeFile(at('.DS_Store'), '')

  expect(await importImages(t.ctx, folder.path, undefined, () => undefined)).toEqual([
    { file: '1.banner.png', reason: 'The file is larger than 100 MiB.' },
    { file: '1.photo.png', eventId: id },
    { file: 'more.banner.png', reason: 'This is a folder; subfolders are not read.' },
    { file: 'x.photo.png', reason: 'This is a symbolic link; links are not followed.' },
  ])
})

test('a file whose name matches several events is attached only if the program is given', async () => {
  await using t = await testApp()
  await using folder = await mkdtempDisposable(join(tmpdir(), 'summit-test-'))
  await make.event(t, { title: 'Talk', source: 'talks', source_key: '2' })
  await make.event(t, { title: 'Party', source: 'fringe', source_key: '2' })
  await make.event(t, { title: 'Walk', source: 'fringe', source_key: 'w' })
  await picture().toFile(join(folder.path, '2.banner.png'))
  await picture().toFile(join(folder.path, 'w.banner.png'))
  const run = (source?: string) => importImages(t.ctx, folder.path, source, () => undefined)

  const [two, w] = await run()
  expect(two).toEqual({
    file: '2.banner.png',
    reason:
      '2 is the guid of “Talk” in the program talks, and the guid of “Party” in the program fringe. Choose the program ' +
      'with --source NAME.',
  })
  expect(w).toMatchObject({ eventId: 3 })
  expect(await run('talks')).toEqual([
    { file: '2.banner.png', eventId: 1 },
    { file: 'w.banner.png', reason: 'No event of the program talks has the guid w.' },
  ])
})

test('of several files for one banner only the first is attached, regardless of case', async () => {
  await using t = await testApp()
  await using folder = await mkdtempDisposable(join(tmpdir(), 'summit-test-'))
  await make.event(t)
  await writeFile(join(folder.path, '1.banner.gif'), 'no picture')
  await picture().toFile(join(folder.path, '1.banner.png'))
  await writeFile(join(folder.path, '1.Banner.PNG'), await picture().toBuffer())
  expect(await importImages(t.ctx, folder.path, undefined, () => undefined)).toEqual([
    { file: '1.Banner.PNG', eventId: 1 },
    { file: '1.banner.gif', reason: 'The event already has a banner from this folder: 1.Banner.PNG.' },
    { file: '1.banner.png', reason: 'The event already has a banner from this folder: 1.Banner.PNG.' },
  ])
})

test('a file whose name is the id of one event and the guid of another is not attached', async () => {
  await using t = await testApp()
  await using folder = await mkdtempDisposable(join(tmpdir(), 'summit-test-'))
  await make.event(t, { title: 'Talk', source: 'program', source_key: '2' })
  await make.event(t, { title: 'Party' })
  await picture().toFile(join(folder.path, '2.banner.png'))
  const [result] = await importImages(t.ctx, folder.path, undefined, () => undefined)
  expect(result?.reason).toContain('2 is the guid of “Talk” in the program program, and the id 2 of “Party”.')
})
