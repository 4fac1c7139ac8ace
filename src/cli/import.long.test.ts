import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { createTemporaryFolder } from '../../test/temporary-folder.ts'

test('a plan shows twenty changes of each kind, or with --all every one', async () => {
  await using folder = await createTemporaryFolder()
  const file = join(folder.path, 'many.csv')
  const rows = Array.from({ length: 42 }, (_, n) => `Talk ${n},2030-05-02 09:00,${n}@x.example`)
  await writeFile(file, ['title,start,email', ...rows].join('\n'))
  for (const list of ['program', 'participants']) {
    const planned = async (...options: string[]) => {
      const { out } = await runSummitInProcess(['import', list, file, ...options], { DATA_DIR: folder.path })
      return { lines: out.match(/^ {2}new +[T<]/gm)?.length, more: /^.*… and .*$/m.exec(out)?.[0] }
    }
    expect(await planned()).toEqual({ lines: 20, more: '  … and 22 more (--all lists them)' })
    expect(await planned('--all')).toEqual({ lines: 42, more: undefined })
  }
})

/** A file of each format with a session on each of these dates. */
const programs: Record<string, (...dates: string[]) => string> = {
  'a.csv': (...dates) => ['Title,Start', ...dates.map((date) => `Talk,${date}`)].join('\n'),
  'list.json': (...dates) => JSON.stringify(dates.map((start) => ({ title: 'Talk', start }))),
  'schedule.xml': (...dates) => {
    const events = dates.map((date, id) => `<event id="${id}"><date>${date}</date><title>Talk</title></event>`)
    return `<schedule><conference/><day><room>${events.join('')}</room></day></schedule>`
  },
  'sessionize.json': (...dates) =>
    JSON.stringify({ sessions: dates.map((startsAt, id) => ({ id, title: 'Talk', startsAt })) }),
}

test.each(Object.entries(programs))(
  'of a program %s, unusable sessions are left out, and the import fails only if no other remains',
  async (name, write) => {
    await using folder = await createTemporaryFolder()
    const file = join(folder.path, name)
    const importing = async (...dates: string[]) => {
      await writeFile(file, write(...dates))
      return runSummitInProcess(['import', 'program', file, '--apply'], { DATA_DIR: join(folder.path, 'data') })
    }
    expect(await importing('noonish')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/line \d: Session “Talk”.*“noonish”.* skipped\./),
      err: expect.stringContaining('Nothing was imported: the file has no usable sessions.'),
    })
    expect(await importing('2030-05-14T10:00:00', 'noonish')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/“noonish”.* skipped\.\n[\s\S]*Done\./),
    })
  },
)

test('an organizer sees what else is in a schedule.json, whose rooms have any name', async () => {
  await using folder = await createTemporaryFolder()
  const file = join(folder.path, 'schedule.json')
  const event = (id: number) => ({ id, date: '2030-05-14T10:00:00Z', title: 'Talk', logo: id > 1 ? '/a.png' : null })
  const rooms = { Hall: [event(1), event(2)], Lab: [{ ...event(3), persons: [{ name: 'Ada', avatar: '/b.png' }] }] }
  const conference = { acronym: 'x', days: [{ date: '2030-05-14', rooms }] }
  await writeFile(file, JSON.stringify({ schedule: { conference } }))
  const { code, out } = await runSummitInProcess(['import', 'program', file], { DATA_DIR: join(folder.path, 'data') })
  expect([code, out]).toEqual([
    0,
    expect.stringContaining('\n\nNot imported, and how often it is in the file: event.logo 2\n'),
  ])
})

test('a program is replaced by one that shares no session with it only with --replace', async () => {
  await using t = await startTestApp()
  const program = async (title: string) => {
    const file = join(t.dataDir, `${title}.csv`)
    await writeFile(file, `Title,Start\n${title},2030-05-14 10:00\n`)
    return (...options: string[]) => runSummitInProcess(['import', 'program', file, ...options], t.settings)
  }
  const titles = async () => (await t.client.listEvents({ offset: 0, limit: 10 })).events.map(({ title }) => title)
  const [first, other] = [await program('Opening'), await program('Elsewhere')]
  const planned = await first('--apply')
  expect(planned).toMatchObject({ code: 0, out: expect.stringMatching(/new +Opening \(2030-05-14 10:00\)/) })

  for (const options of [[], ['--apply']]) {
    const { code, out, err } = await other(...options)
    expect(out).toMatch(/cancelled +Opening \(2030-05-14 10:00\)/)
    expect(out).not.toContain('--apply')
    expect([code, err]).toEqual([1, expect.stringMatching(/^Nothing was changed\. .*--source NAME.* --replace\.\n$/)])
  }
  expect(await titles()).toEqual(['Opening'])

  expect(await other('--apply', '--replace')).toMatchObject({ code: 0, err: '' })
  expect(await titles()).toEqual(expect.arrayContaining(['Elsewhere', 'Cancelled: Opening']))
  expect(await first('--apply')).toMatchObject({ code: 0, err: '' })
  expect(await titles()).toEqual(expect.arrayContaining(['Opening', 'Cancelled: Elsewhere']))
})

test.each(['program', 'participants'])(
  'an old workbook given as %s is rejected with advice how to save it',
  async (list) => {
    await using folder = await createTemporaryFolder()
    const file = join(folder.path, 'people.xls')
    await writeFile(file, Buffer.from('d0cf11e0a1b11ae1', 'hex'))
    const err =
      'people.xls is an Excel workbook in the format before 2007 (.xls), which cannot be read. Open it in the program that made ' +
      'it, and save it as an Excel workbook (.xlsx) or as CSV.\n'
    expect(await runSummitInProcess(['import', list, file], { DATA_DIR: folder.path })).toEqual({
      code: 1,
      out: '',
      err,
    })
  },
)

test.each(['program', 'participants'])(
  'a file of %s that cannot be read is reported with its full path',
  async (list) => {
    await using folder = await createTemporaryFolder()
    const absent = relative('.', join(folder.path, 'absent.csv'))
    const reasons = [
      [absent, `Cannot read ${join(folder.path, 'absent.csv')}: it does not exist.\n`],
      [folder.path, `Cannot read ${folder.path}: it is a folder.\n`],
    ] as const
    for (const [file, err] of reasons)
      expect(await runSummitInProcess(['import', list, file], { DATA_DIR: folder.path })).toEqual({
        code: 1,
        out: '',
        err,
      })
  },
)
