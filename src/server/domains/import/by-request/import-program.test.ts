import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runSummitInProcess } from '../../../../../test/command.ts'
import { inCommand } from '../../../../../test/in-command.ts'
import { undoRevision } from '../../revisions/undo.ts'
import { apply, boats, csv, opening, plan, startWithEditor, toFile } from './import-program.fixtures.ts'

const loggedChanges = async (t: Awaited<ReturnType<typeof startWithEditor>>) =>
  (await t.ctx.database.read.selectFrom('change').select('id').execute()).length

describe('a plan', () => {
  test('says what the command prints, and changes nothing', async () => {
    await using t = await startWithEditor()
    await apply(t.editor, csv(opening, boats))
    const before = await loggedChanges(t)
    const text = [
      'id,title,start,end,room,track,speaker,abstract,Colour',
      opening.replaceAll('2030-05-02 ', '2030-05-02 1').replace('109:00', '09:30').replace('110:00', '10:30'),
      'c,Closing,2030-05-02 10:00,2030-05-02 11:00,Hall,Main,Ana Cruz,Bye,blue',
      'd,,2030-05-02 10:00,,,,,',
    ].join('\n')
    const file = join(t.dataDir, 'program.csv')
    await writeFile(file, text)
    const { out } = await runSummitInProcess(['import', 'program', file, '--all'], t.settings)
    const planned = await plan(t.editor, toFile(text))

    for (const [change, count] of Object.entries(planned.counts))
      expect(out).toContain(`  ${change.padEnd(10)} ${String(count).padStart(6)}`)
    for (const { change, title, where_and_when, differences } of planned.sessions)
      expect(out).toContain(
        `  ${change.padEnd(10)} ${title} (${where_and_when})${differences.length > 0 ? ': ' : ''}${differences.join(', ')}`,
      )
    for (const { line, message } of planned.remarks) expect(out).toContain(`line ${line}: ${message}`)
    for (const { name, count } of planned.unused) expect(out).toContain(`${name} ${count}`)
    for (const { kind, name } of planned.clashes) expect(out).toContain(`- ${kind} “${name}”`)
    expect(planned).toMatchObject({
      format: 'CSV',
      days: ['2030-05-02'],
      room_count: 1,
      counts: { new: 1, moved: 1, cancelled: 1, unchanged: 0 },
      sessions: [
        { row: 1, change: 'moved', event_id: '1', line: 2 },
        { row: 2, change: 'new', event_id: null, line: 3 },
        { row: 3, change: 'cancelled', event_id: '2', line: null },
      ],
      clashes: [
        { kind: 'room', name: 'Hall' },
        { kind: 'speaker', name: 'Ana Cruz' },
      ],
      losses: { stored: 2, missing: 1, needs_replace: false },
      remarks: [{ line: 4, kind: 'skipped' }],
      unused: [{ name: '“Colour”', count: 1, reason: null }],
    })
    expect(await loggedChanges(t)).toBe(before)
  })
})

describe('an import', () => {
  test('is a draft until it is published, and can be undone', async () => {
    await using t = await startWithEditor()
    const { revision_id } = await apply(t.editor, csv(opening, boats), { draft: true })
    expect(await t.titles()).toEqual([])
    expect(await t.drafts()).toEqual(['Opening', 'Boats'])
    expect((await plan(t.editor, csv(opening, boats), { draft: true })).counts.unchanged).toBe(2)
    await t.editor.publish({})
    expect(await t.titles()).toEqual(['Opening', 'Boats'])

    const second = await apply(t.editor, csv(opening.replace('Opening', 'Welcome'), boats))
    expect(await t.titles()).toEqual(['Welcome', 'Boats'])
    const undo = async (id: string | null) =>
      inCommand(t, (scope) => undoRevision(scope, { revisionId: Number(id), keepChanged: false, command: 'undo' }))
    await undo(second.revision_id)
    expect(await t.titles()).toEqual(['Opening', 'Boats'])
    expect(revision_id).toBe('1')
  })

  test('is refused with the present plan if the program, the file or an option has changed since its plan', async () => {
    await using t = await startWithEditor()
    await apply(t.editor, csv(opening, boats))
    const file = csv(opening.replace('Hall', 'Garden'), boats)
    const { hash } = await plan(t.editor, file)
    const applied = (given: File, options = {}) => t.editor.applyImport({ ...options, hash }, { file: given })
    const refused = { data: { reason: 'EVENT_CHANGED', current: { plan: { format: 'CSV' } } } }
    await expect(applied(csv(opening, boats))).rejects.toMatchObject(refused)
    await expect(applied(file, { draft: true })).rejects.toMatchObject(refused)
    await expect(t.editor.applyImport({ hash: 'x' }, { file })).rejects.toMatchObject(refused)
    const { event } = await t.editor.updateEvent({ id: 2, revision: 1, title: 'Ships' })
    await expect(applied(file)).rejects.toMatchObject(refused)
    expect(event.title).toBe('Ships')
    expect(await t.titles()).toEqual(['Opening', 'Boats'])
  })
})

describe('a file', () => {
  test('of which no row can be used is refused with each line', async () => {
    await using t = await startWithEditor()
    await expect(t.editor.planImport({}, { file: csv('a,,2030-05-02 09:00', 'b,Boats,soon') })).rejects.toMatchObject({
      data: {
        reason: 'NOT_A_PROGRAM',
        fields: [{ message: expect.stringMatching(/^line 2: /) }, { message: expect.stringMatching(/^line 3: /) }],
      },
    })
  })
})
