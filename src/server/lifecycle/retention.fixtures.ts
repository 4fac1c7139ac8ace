import { startTestApp, type TestApp } from '../../../test/app.ts'
import * as make from '../../../test/make.ts'

export const page = { offset: 0, limit: 100 }
const file = { name: 'a.txt', data: 'R3LD' }

export async function startWithPeople(settings: Record<string, string>): Promise<TestApp> {
  const t = await startTestApp(settings)
  const ana = await make.participant(t, { email: 'ana@x.org' })
  const ben = await make.participant(t, { first_name: 'Ben' })
  await make.topic(t, { created_by: ana, name: 'Of Ana', uploaded_files: [file] })
  await t.client.addFeedback({ participant_id: ben, comments: 'Of Ben' })
  await t.ctx.database.transaction((tx) =>
    tx.updateTable('participant').set({ is_deleted: 1 }).where('first_name', '=', 'Ben').execute(),
  )
  return t
}

export const peopleIn = async ({ ctx }: TestApp) =>
  (await ctx.database.read.selectFrom('participant').select('first_name').execute()).length
