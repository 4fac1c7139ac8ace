import { startTestApp, type TestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'

export const AUDIT_KEY = 'a1'.repeat(32)

export const verify = (t: Pick<TestApp, 'settings'>, settings: Record<string, string> = { AUDIT_KEY }) =>
  runSummitInProcess(['audit', 'verify'], { ...t.settings, ...settings })

/** A server whose log has five changes. */
export async function startAppWithChanges(): Promise<TestApp> {
  const t = await startTestApp({ AUDIT_KEY })
  await make.participant(t)
  for (const name of ['Two', 'Three', 'Four', 'Five']) await make.topic(t, { name })
  return t
}

export const changesOf = (t: TestApp) => t.ctx.database.read.selectFrom('change').selectAll().orderBy('id').execute()
