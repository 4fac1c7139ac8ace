import { readdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { runSummit, runSummitInProcess } from '../../test/command.ts'
import { createTemporaryFolder } from '../../test/temporary-folder.ts'

test('an organizer sees the plan of an import first, then applies it while the server runs', async () => {
  await using t = await startTestApp()
  const file = join(t.dataDir, 'program.csv')
  await writeFile(file, 'title,start,end,room\nKeynote,2030-05-02 09:00,2030-05-02 10:00,Hall\nNo start,,,Hall\n')
  const { settings } = t

  const plan = await runSummitInProcess(['import', 'program', file], settings)
  expect(plan.out).toMatch(/new +1/)
  expect(plan.out).toContain('Keynote (Hall, 2030-05-02 09:00)')
  expect(plan.out).toMatch(/line 3: .+/)
  expect((await t.client.listEvents({ offset: 0, limit: 1 })).events).toEqual([])

  expect((await runSummit(['import', 'program', file, '--apply'], settings)).code).toBe(0)
  expect((await t.client.listEvents({ offset: 0, limit: 1 })).events[0]?.title).toBe('Keynote')

  await writeFile(file, 'title,start\nAnother conference,2031-01-01 09:00\n')
  expect((await runSummitInProcess(['import', 'program', file], settings)).err).toContain('--source NAME')
})

test('only an import with --apply creates a summit', async () => {
  await using folder = await createTemporaryFolder()
  const file = join(folder.path, 'any.csv')
  await writeFile(file, 'title,start,email\nKeynote,2030-05-02 09:00,a@x.example\n')
  const dataDir = join(folder.path, 'dtaa')
  const settings = { DATA_DIR: relative('.', dataDir) }
  const commands = [['export', 'topics'], ['sweep'], ['import', 'images', folder.path], ['move', '--to', './elsewhere']]
  const line = `No summit found in ${dataDir} (DATA_DIR).\n`
  for (const args of commands)
    expect(await runSummitInProcess(args, settings), args.join(' ')).toMatchObject({ code: 1, err: line })
  for (const list of ['program', 'participants']) {
    const { code, out } = await runSummitInProcess(['import', list, file], settings)
    expect([code, out]).toEqual([0, expect.stringMatching(/^ {2}new +1$/m)])
    expect(out).toContain(
      `\n\nNothing was changed. No summit found in ${dataDir} (DATA_DIR). Run the same command with --apply to create one and apply this plan.\n`,
    )
  }
  expect(await readdir(folder.path)).toEqual(['any.csv'])

  const created = `No summit found in ${dataDir} (DATA_DIR); creating one.\n`
  expect(await runSummitInProcess(['import', 'participants', file, '--apply'], settings)).toMatchObject({
    code: 0,
    err: created,
  })
  expect((await runSummitInProcess(['export', 'participants'], settings)).out).toContain('a@x.example')
}, 60_000)

test('importing a file without usable sessions fails with the reason', async () => {
  await using folder = await createTemporaryFolder()
  const file = join(folder.path, 'broken.xml')
  await writeFile(file, '<schedule><day></schedule>')
  const { code, out, err } = await runSummitInProcess(['import', 'program', file, '--apply'], { DATA_DIR: folder.path })
  expect(code).toBe(1)
  expect(out).toMatch(/line 1: .+/)
  expect(err).toContain('Nothing was imported')
})
