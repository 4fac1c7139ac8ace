import { once } from 'node:events'
import { parentPort } from 'node:worker_threads'
import { type ParticipantsJob, type PlannedSpreadsheet, planSpreadsheet } from './plan-participants.ts'
import { type PlannedFile, type ProgramJob, planProgram, type RejectedFile } from './plan-program.ts'

// The thread of a `FilePlanner`.

export type PlanJob = ProgramJob | ParticipantsJob

export type PlanOf<J extends PlanJob> = J extends ProgramJob ? PlannedFile : PlannedSpreadsheet

export type PlanRequest = { job: PlanJob } | { spreadsheet: string }

/** That `sessions.csv` is needed as it is by now, or the outcome. */
export type PlanMessage = { needs: 'spreadsheet' } | { outcome: PlanOf<PlanJob> | RejectedFile } | { error: unknown }

const say = (message: PlanMessage): void => parentPort?.postMessage(message)

async function readSpreadsheet(): Promise<string> {
  if (!parentPort) return ''
  say({ needs: 'spreadsheet' })
  const [reply]: PlanRequest[] = await once(parentPort, 'message')
  return reply && 'spreadsheet' in reply ? reply.spreadsheet : ''
}

const plan = (job: PlanJob): Promise<PlanOf<PlanJob> | RejectedFile> =>
  job.kind === 'program' ? planProgram(job, readSpreadsheet) : planSpreadsheet(job)

parentPort?.on('message', (request: PlanRequest) => {
  if ('job' in request)
    plan(request.job).then(
      (outcome) => say({ outcome }),
      (error: unknown) => say({ error }),
    )
})
