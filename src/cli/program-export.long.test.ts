import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import { findSharedData } from '../../test/shared-data.ts'

for (const name of ['39c3.schedule.json', 'scottish-summit.sessionize.json']) {
  const file = findSharedData(`data/${name}`)
  test.skipIf(!file)(`the spreadsheet of the program from ${name} changes nothing when it is imported`, async () => {
    await using t = await startTestApp()
    await runSummitInProcess(['import', 'program', file ?? '', '--apply'], t.settings)
    const path = join(t.dataDir, 'sessions.csv')
    await writeFile(path, await (await fetch(`${t.url}/api/program/export/sessions.csv`)).text())
    const { out } = await runSummitInProcess(['import', 'program', path, '--all'], t.settings)
    expect(out).toContain('Nothing to do.')
  })
}
