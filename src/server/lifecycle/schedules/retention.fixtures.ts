import { startTestApp, type TestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { dayMs } from '../../core/time-units.ts'
import { applyRetention, type Retention } from './retention.ts'

export const page = { offset: 0, limit: 100 }
const file = { name: 'a.txt', data: 'R3LD' }

export async function startWithPeople({
  ERASE_PERSONAL_DATA_AFTER: after,
  ...settings
}: Record<string, string>): Promise<TestApp> {
  // With `silent`, there would be no warnings. The server itself writes none.
  const app = await startTestApp({ LOG_LEVEL: 'warn', ...settings })
  // The server does not know the day, or it would look at it, too, once ten seconds have passed.
  const config = { ...app.ctx.config, ...(after !== undefined && { erasePersonalDataAfter: after }) }
  const t: TestApp = { ...app, ctx: { ...app.ctx, config } }
  const ana = await make.participant(t, { email: 'ana@x.org' })
  const ben = await make.participant(t, { first_name: 'Ben' })
  await make.topic(t, { created_by: ana, name: 'Of Ana', uploaded_files: [file] })
  await t.client.addFeedback({ participant_id: ben, comments: 'Of Ben' })
  await t.ctx.database.transaction((tx) =>
    tx.updateTable('participant').set({ is_deleted: 1 }).where('first_name', '=', 'Ben').execute(),
  )
  return t
}

export const peopleIn = async ({ ctx }: Pick<TestApp, 'ctx'>) =>
  (await ctx.database.read.selectFrom('participant').select('first_name').execute()).length

/** Collects the warnings of a server. */
export function newLog() {
  const warnings: { on?: string; warningsLeft?: number; before?: Date }[] = []
  const messages: string[] = []
  const warn = (fields: object, message = '') => {
    warnings.push(fields)
    messages.push(message)
  }
  return { warnings, messages, warn }
}

/** Looks at the date once, as a server does. @returns the outcome, with the warnings that it logged */
export async function look({ ctx }: Pick<TestApp, 'ctx'>, isStopped?: () => boolean) {
  const { warnings, ...log } = newLog()
  const { state, ...rest }: Retention & { on?: string } = await applyRetention(ctx, log, isStopped)
  return { state, ...(rest.on !== undefined && { on: rest.on }), warnings }
}

/** A look on each of the next days. @returns the outcomes */
export async function lookDaily(t: TestApp, days: number) {
  const outcomes: Awaited<ReturnType<typeof look>>[] = []
  for (let day = 0; day < days; day++) {
    t.advance(dayMs)
    outcomes.push(await look(t))
  }
  return outcomes
}
