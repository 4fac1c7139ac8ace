import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runSummitInProcess } from '../../../../../test/command.ts'
import { createPicture } from '../images/images.fixtures.ts'
import { apply, boats, closing, csv, opening, plan, startWithEditor, toFile } from './import-program.fixtures.ts'

// A file that is older than what organizers have changed since would take that back.

const rename = (row: string) => row.replace(/,\w+,/, ',Another title,')

async function start() {
  const t = await startWithEditor()
  const { editor } = t
  await apply(editor, csv(opening, boats, closing))
  const update = async (id: number, members: object) => {
    const { event } = await editor.getDraftEvent({ id })
    await editor.updateEvent({ id, revision: event.revision, ...members })
  }
  const newest = async () => Number((await editor.listRevisions({ offset: 0, limit: 1 })).revisions[0]?.id)
  const all = csv(rename(opening), rename(boats), rename(closing))
  /** The sessions that are marked in a plan. */
  const marked = async (file = all, draft = false) =>
    (await plan(editor, file, { draft })).sessions.flatMap(({ event_id, is_edited }) => (is_edited ? [event_id] : []))
  return { ...t, update, newest, marked, all }
}

test('sessions that organizers moved, cancelled or rewrote since their import are marked where a file would change them', async () => {
  await using t = await start()
  expect(await t.marked()).toEqual([])
  await t.update(1, { starts_at: '2030-05-02 07:00', publish: true })
  await t.update(2, { is_cancelled: true, publish: true })
  await t.update(3, { description: 'At the pier' })
  expect(await t.marked(t.all, true)).toEqual(['1', '2', '3'])
  expect(await t.marked()).toEqual(['1', '2', '3'])
  // The file agrees with the first, and would cancel the third.
  const agreeing = csv(opening.replaceAll('2030-05-02 09:00', '2030-05-02 07:00').replace('10:00', '08:00'), boats)
  expect((await plan(t.editor, agreeing)).sessions).toMatchObject([
    { change: 'unchanged', is_edited: false },
    { change: 'changed', is_edited: true, differences: ['no longer cancelled'] },
    { change: 'cancelled', event_id: '3', is_edited: true },
  ])

  const file = join(t.dataDir, 'program.csv')
  await writeFile(file, await t.all.text())
  const { out } = await runSummitInProcess(['import', 'program', file], t.settings)
  expect(out).toMatch(
    /sessions that organizers have changed since the last import, and that get the values of the file: 3\n +- “Another title”/,
  )
  await apply(t.editor, t.all)
  expect(await t.marked(csv(opening, boats, closing))).toEqual([])
})

test('publishing, pictures and undone changes are no changes since, but an import that was taken back is', async () => {
  await using t = await start()
  await t.editor.createEvent({ title: 'Knots' })
  await t.editor.publish({})
  const picture = new File([new Uint8Array(await createPicture().toBuffer())], 'boats.png')
  const { event } = await t.editor.getDraftEvent({ id: 1 })
  await t.editor.setBanner({ id: 1, revision: event.revision }, { photo: picture })
  await t.update(2, { title: 'Ships' })
  await t.editor.undoRevision({ id: await t.newest() })
  expect(await t.marked()).toEqual([])
  await apply(t.editor, csv(opening, boats, rename(closing)))
  await t.editor.undoRevision({ id: await t.newest() })
  expect(await t.marked()).toEqual(['3'])
})

test('a spreadsheet that was exported after the changes knows them', async () => {
  await using t = await start()
  const sheet = async () => (await t.editor.exportProgram({ file: 'sessions.csv' })).text()
  const old = await sheet()
  t.advance(60_000)
  await t.update(2, { title: 'Ships', publish: true })
  const retitled = (text: string) => toFile(text.replace(/Ships|Boats/, 'Rafts'))
  expect(await t.marked(retitled(await sheet()))).toEqual([])
  expect(await t.marked(retitled(old))).toEqual(['2'])
})
