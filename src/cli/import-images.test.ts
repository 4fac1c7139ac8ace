import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createTestStorage, startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'

test('an organizer attaches images named by event, and sees which were skipped', async () => {
  await using t = await startTestApp()
  const byId = await make.event(t)
  await make.event(t, { source: 'program', source_key: 'c0ffee-guid' })
  const folder = join(t.dataDir, 'pictures')
  await mkdir(folder)
  const wide = { create: { width: 2000, height: 500, channels: 3, background: '#336699' } } as const
  await sharp(wide)
    .jpeg()
    .toFile(join(folder, `${byId}.banner.jpg`))
  await sharp(wide).png().toFile(join(folder, 'c0ffee-guid.photo.png'))
  await writeFile(join(folder, `${byId}.photo.png`), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(folder, '999.banner.jpg'), '')

  const plan = await runSummitInProcess(['import', 'images', folder], t.settings)
  expect([plan.code, plan.err]).toEqual([0, ''])
  expect(plan.out).toMatch(/^ {2}new +2\n {2}replaced +0\n {2}unchanged +0\n {2}skipped +2\n/)
  expect(plan.out).toContain(`  new        ${byId}.banner.jpg: banner of session ${byId} “Opening”\n`)
  expect(plan.out).toContain('  skipped    999.banner.jpg: No session, speaker or participant is called “999”')
  expect(plan.out).toContain('Nothing was changed. Run the same command with --apply to apply this plan.')
  expect((await t.client.getEvent({ id: byId })).programs.banner).toBe('')

  const { code, out, err } = await runSummitInProcess(['import', 'images', folder, '--apply'], t.settings)
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('Done.')

  const banner = await fetch(`${t.url}/api/program/banner/get/${byId}`)
  expect(banner.headers.get('content-type')).toBe('image/jpeg')
  expect(await sharp(Buffer.from(await banner.arrayBuffer())).metadata()).toMatchObject({ width: 1600, height: 400 })
  expect((await t.client.getEvent({ id: byId })).programs.banner).toMatch(/^program\/1\/banner-[0-9a-f]{64}\.jpg$/)
})

test.each(['nope', 'file', 'empty', 'unusable'])(
  'importing images from a bad folder (%s) fails with one line',
  async (name) => {
    await using storage = await createTestStorage()
    await mkdir(join(storage.dataDir, 'empty'))
    await mkdir(join(storage.dataDir, 'unusable'))
    await writeFile(join(storage.dataDir, 'unusable', 'nobody.png'), '')
    await writeFile(join(storage.dataDir, 'file'), '')
    const folder = join(storage.dataDir, name)
    const line = {
      nope: `Cannot read ${folder}: it does not exist.\n`,
      file: `Cannot read ${folder}: it is not a folder.\n`,
      empty: `No images found in ${folder}.\n`,
      unusable: `Nothing was attached: no file in ${folder} can be attached.\n`,
    }[name]
    for (const options of [[], ['--apply']]) {
      const { code, out, err } = await runSummitInProcess(['import', 'images', folder, ...options], storage.settings)
      expect([code, err]).toEqual([1, line])
      expect(out).not.toMatch(/Done|Nothing to do/)
    }
  },
)
