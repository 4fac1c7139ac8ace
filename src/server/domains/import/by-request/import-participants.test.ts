import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runSummitInProcess } from '../../../../../test/command.ts'
import { inCommand } from '../../../../../test/in-command.ts'
import { undoRevision } from '../../revisions/undo.ts'
import { apply, eva, gil, startWithDesk, toFile } from './import-participants.fixtures.ts'

test('the plan says what the command prints, and is applied whole or in chosen rows, and undone', async () => {
  await using t = await startWithDesk()
  const file = toFile(eva, gil, ',No Address,,')
  const path = join(t.dataDir, 'people.csv')
  await writeFile(path, await file.text())
  const { out } = await runSummitInProcess(['import', 'participants', path, '--all'], t.settings)
  const { plan } = await t.desk.planParticipantsImport({}, { file })
  for (const [change, count] of Object.entries(plan.counts))
    expect(out).toContain(`  ${change.padEnd(10)} ${String(count).padStart(6)}`)
  for (const { change, name } of plan.participants) expect(out).toContain(`  ${change.padEnd(10)} ${name}`)
  for (const { line, message } of plan.remarks) expect(out).toContain(`line ${line}: ${message}`)
  for (const { name, count } of plan.unused) expect(out).toContain(`${name} ${count}`)
  expect(plan).toMatchObject({
    counts: { new: 2, changed: 0, unchanged: 0 },
    participants: [{ row: 1, participant_id: null, name: 'Eva Fox <eva@summit.example>', line: 2 }, { row: 2 }],
    remarks: [{ line: 4, kind: 'skipped' }],
    unused: [{ name: '“Diet”', count: 1 }],
  })
  const before = await t.names()

  await apply(t.desk, file, { only: [2] })
  expect(await t.names()).toEqual([...before, 'Gil Hay'])
  const { revision_id } = await apply(t.desk, file)
  expect(await t.names()).toEqual([...before, 'Gil Hay', 'Eva Fox'])
  expect(await apply(t.desk, file)).toEqual({ revision_id: null })
  await inCommand(t, (scope) =>
    undoRevision(scope, { revisionId: Number(revision_id), keepChanged: false, command: 'undo' }),
  )
  expect(await t.names()).toEqual([...before, 'Gil Hay'])
})

test('the desk imports changes of participants who are there already', async () => {
  await using t = await startWithDesk()
  await apply(t.desk, toFile(eva))
  await apply(t.desk, toFile(eva.replace('Fox', 'Day')))
  expect(await t.names()).toContain('Eva Day')
})
