import { basename } from 'node:path'
import { OperatorError } from '../../server/core/operator-error.ts'
import { parseParticipants } from '../../server/import/formats/participants-csv.ts'
import {
  applyParticipants,
  type PlannedParticipant,
  participantChanges,
  planParticipants,
} from '../../server/import/participants-plan.ts'
import { listAllParticipants } from '../../server/participants/participants.ts'
import { type PlanOptions, planOrApply } from '../plan-or-apply.ts'
import { planReport } from '../plan-report.ts'
import { readText } from '../read-text.ts'
import { configuredLimits } from '../with-context.ts'

/** `summit import participants FILE.csv`: prints the plan; does it with `--apply`. */
export async function importParticipants(file: string, { apply = false, all = false }: PlanOptions): Promise<void> {
  const { text, remarks } = await readText(file)
  const parsed = parseParticipants(text, configuredLimits())
  const { participants } = parsed
  const problems = [...remarks, ...parsed.problems]
  console.log(`${basename(file)}: usable participants: ${participants.length}`)
  if (participants.length === 0) {
    console.log(planReport([], [], problems, all))
    throw new OperatorError('Nothing was imported: the file holds no participant that can be used.')
  }
  await planOrApply(
    {
      command: 'import participants',
      known: listAllParticipants,
      showPlan: (known) => {
        const plan = planParticipants(participants, known)
        console.log(planReport(participantChanges, plan.participants.map(toLine), [...problems, ...plan.problems], all))
      },
      apply: (scope, onProgress) => applyParticipants(scope, participants, onProgress),
    },
    apply,
  )
}

const toLine = ({ change, participant: { key, values }, differences }: PlannedParticipant) => ({
  change,
  text: [values.first_name, values.last_name, `<${key}>`].filter(Boolean).join(' '),
  differences,
})
