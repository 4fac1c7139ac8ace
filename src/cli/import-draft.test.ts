import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startAppWithKeys } from '../../test/access/app-with-keys.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { inCommand } from '../../test/in-command.ts'
import { undoRevision } from '../server/domains/revisions/undo.ts'

// `import program --draft`: attendees see what a file changes once editors publish it.

const header = 'id,title,start,end,room,speaker,abstract'
const opening = 'a,Opening,2030-05-02 09:00,2030-05-02 10:00,Hall,Ana Cruz,Welcome'
const boats = 'b,Boats,2030-05-02 11:00,2030-05-02 12:00,Hall,Ben Day,All about boats'

async function startWithEditor() {
  const t = await startAppWithKeys('members')
  const { client: editor } = await t.issueKey({ roles: ['editor'] })
  const file = join(t.dataDir, 'program.csv')
  /** Imports a file with these rows, and returns what the plan says of each session. */
  const importRows = async (rows: string[], ...options: string[]) => {
    await writeFile(file, [header, ...rows].join('\n'))
    const { code, out, err } = await runSummitInProcess(['import', 'program', file, '--apply', ...options], t.settings)
    expect(code, err).toBe(0)
    return out
  }
  const seen = async () => {
    const { events } = await t.ana.client.listEvents({ offset: 0, limit: 100 })
    return events.map(({ title, date, location }) => `${title} ${date.date_from?.slice(11, 16)} ${location.name}`)
  }
  const edited = async () =>
    (await editor.getDraft({ texts: true })).draft.events.map(
      ({ title, starts_at, is_cancelled }) => `${is_cancelled ? 'cancelled ' : ''}${title} ${starts_at?.slice(11, 16)}`,
    )
  return { ...t, editor, importRows, seen, edited }
}

test('a program that is imported as a draft is seen once it is published', async () => {
  await using t = await startWithEditor()
  expect(await t.importRows([opening, boats], '--draft')).toContain('  new             2')
  expect(await t.seen()).toEqual([])
  expect((await t.ana.client.getSchedule({})).schedule.speakers).toEqual([])
  expect(await t.edited()).toEqual(['Opening 09:00', 'Boats 11:00'])
  expect(await t.importRows([opening, boats], '--draft')).toContain('Nothing to do.')

  await t.editor.publish({})
  expect(await t.seen()).toEqual(['Opening 09:00 Hall', 'Boats 11:00 Hall'])
  expect(await t.importRows([opening, boats])).toContain('Nothing to do.')
})

test('changes and cancellations of published sessions are drafts, which can be published or undone', async () => {
  await using t = await startWithEditor()
  await t.importRows([opening, boats])
  const rows = [opening.replaceAll('09:00', '08:00').replace('Hall', 'Garden'), 'c,Closing,2030-05-03 17:00,,Hall,,']
  const published = await t.seen()
  const out = await t.importRows(rows, '--draft')
  expect(out).toMatch(/moved +Opening /)
  expect(out).toMatch(/cancelled +Boats/)
  expect(await t.seen()).toEqual(published)
  expect(await t.edited()).toEqual(['Opening 08:00', 'cancelled Boats 11:00', 'Closing 17:00'])
  expect(await t.importRows(rows, '--draft')).toContain('Nothing to do.')

  const revisionId = Number(/import undo (\d+)/.exec(out)?.[1])
  await inCommand(t, (scope) => undoRevision(scope, { revisionId, keepChanged: false, command: 'import undo' }))
  expect(await t.edited()).toEqual(['Opening 09:00', 'Boats 11:00'])

  await t.importRows(rows, '--draft')
  await t.editor.publish({})
  expect(await t.seen()).toEqual(['Opening 08:00 Garden', 'Cancelled: Boats 11:00 Hall', 'Closing 17:00 Hall'])
  expect(await t.importRows(rows)).toContain('Nothing to do.')
})

test('an import that is no draft publishes the sessions of its file', async () => {
  await using t = await startWithEditor()
  await t.importRows([opening, boats], '--draft')
  const out = await t.importRows([opening, boats.replaceAll('Boats', 'Small boats')])
  expect(out).toMatch(/changed +Opening \(.*\): published/)
  expect(out).toMatch(/retitled +Small boats \(.*\): title “Boats” → “Small boats”, .*published/)
  expect(await t.seen()).toEqual(['Opening 09:00 Hall', 'Small boats 11:00 Hall'])
})

test('an import that is no draft replaces what editors have changed only where its file has changed, too', async () => {
  await using t = await startWithEditor()
  await t.importRows([opening, boats])
  const [first, second] = (await t.editor.getDraft({})).draft.events
  const edit = (event: typeof first, change: object) =>
    t.editor.updateEvent({ id: Number(event?.id), revision: event?.revision ?? 0, ...change })
  await edit(first, { title: 'Welcome', starts_at: '2030-05-02 08:30', type: 'Keynote' })
  await edit(second, { title: 'Ships' })

  const out = await t.importRows([opening.replace('09:00', '08:00').replace('Welcome', 'All welcome'), boats])
  expect(out).toContain('sessions with changes that are not published, of which those stay')
  expect(await t.seen()).toEqual(['Opening 08:00 Hall', 'Boats 11:00 Hall'])
  const { event } = await t.editor.getDraftEvent({ id: Number(first?.id) })
  expect(event).toMatchObject({ title: 'Welcome', type: 'Keynote', description: '<p>All welcome</p>' })
  expect(event.starts_at).toContain('T08:00')
  expect(event.changes.sort()).toEqual(['activities', 'title', 'type'])
  expect(await t.edited()).toEqual(['Welcome 08:00', 'Ships 11:00'])

  await t.editor.publish({})
  const { programs } = await t.ana.client.getEvent({ id: Number(first?.id) })
  expect(programs).toMatchObject({ title: 'Welcome', program_time: '08:00:00' })
  const { events } = await t.ana.client.listEvents({ offset: 0, limit: 1 })
  expect(events[0]?.program).toMatchObject([{ activities: [{ title: 'Welcome', time: '08:00:00' }] }])
})
