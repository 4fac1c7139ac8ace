import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'
import { importFile } from './import-export.fixtures.ts'

describe('an export of the participants', () => {
  async function people() {
    const t = await startTestApp()
    await make.participant(t, { email: 'ana@x.example', employee_no: 'E1', photo: 'people/ana.jpg', mobile_no: '+1 2' })
    await make.participant(t, { first_name: 'Ben', email: 'ben@x.example' })
    await make.participant(t, { first_name: 'Cy', last_name: 'Ek' })
    return t
  }

  test.each(['csv', 'json'])('changes nothing when it is imported as %s unchanged', async (format) => {
    await using t = await people()
    const file = join(t.dataDir, `people.${format}`)
    await runSummitInProcess(['export', 'participants', '--format', format, '--out', file], t.settings)
    const { out } = await importFile(t, 'participants', file)
    expect(out).toMatch(/unchanged +3\n\nNothing to do\.\n$/)
    expect(await readFile(file, 'utf8')).toContain('ana@x.example')
  })
})
