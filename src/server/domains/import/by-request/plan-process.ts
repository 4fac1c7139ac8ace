import { once } from 'node:events'
import { type ParticipantsJob, type PlannedSpreadsheet, planSpreadsheet } from './plan-participants.ts'
import { type PlannedFile, type ProgramJob, planProgram, type RejectedFile } from './plan-program.ts'

// The process of a `FilePlanner`, which kills it. If its parent is killed, it ends because it is disconnected.

export type PlanJob = ProgramJob | ParticipantsJob

export type PlanOf<J extends PlanJob> = J extends ProgramJob ? PlannedFile : PlannedSpreadsheet

export type PlanRequest = { job: PlanJob } | { spreadsheet: string }

/** That `sessions.csv` is needed as it is by now, or the outcome. */
export type PlanMessage = { needs: 'spreadsheet' } | { outcome: PlanOf<PlanJob> | RejectedFile } | { error: unknown }

// The server may have ended meanwhile; this process is about to end as well then.
const say = (message: PlanMessage): void => void process.send?.(message, () => {})

async function readSpreadsheet(): Promise<string> {
  say({ needs: 'spreadsheet' })
  const [reply]: PlanRequest[] = await once(process, 'message')
  return reply && 'spreadsheet' in reply ? reply.spreadsheet : ''
}

const plan = (job: PlanJob): Promise<PlanOf<PlanJob> | RejectedFile> =>
  job.kind === 'program' ? planProgram(job, readSpreadsheet) : planSpreadsheet(job)

process.on('message', (request: PlanRequest) => {
  if ('job' in request)
    plan(request.job).then(
      (outcome) => say({ outcome }),
      (error: unknown) => say({ error }),
    )
})
process.on('disconnect', () => process.exit())
// A terminal and systemd signal all processes at once, but the server decides when this one exits.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
