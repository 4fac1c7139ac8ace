import { once } from 'node:events'
import { parentPort } from 'node:worker_threads'
import { type PlanJob, type PlannedFile, planProgram, type RejectedFile } from './plan-program.ts'

// The thread of a `FilePlanner`.

export type PlanRequest = { job: PlanJob } | { spreadsheet: string }

/** That `sessions.csv` is needed as it is by now, or the outcome. */
export type PlanMessage = { needs: 'spreadsheet' } | { outcome: PlannedFile | RejectedFile } | { error: unknown }

const say = (message: PlanMessage): void => parentPort?.postMessage(message)

async function readSpreadsheet(): Promise<string> {
  if (!parentPort) return ''
  say({ needs: 'spreadsheet' })
  const [reply]: PlanRequest[] = await once(parentPort, 'message')
  return reply && 'spreadsheet' in reply ? reply.spreadsheet : ''
}

parentPort?.on('message', (request: PlanRequest) => {
  if ('job' in request)
    planProgram(request.job, readSpreadsheet).then(
      (outcome) => say({ outcome }),
      (error: unknown) => say({ error }),
    )
})
