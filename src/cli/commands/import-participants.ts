import { basename } from 'node:path'
import { participantChanges } from '../../contract/imports.ts'
import type { Config } from '../../server/config/config.ts'
import { OperatorError } from '../../server/core/errors.ts'
import { formatCount } from '../../server/core/format-count.ts'
import { parseParticipants } from '../../server/domains/import/csv/participants-csv.ts'
import { loadLogins, noLogins } from '../../server/domains/import/participants/login-plan.ts'
import {
  countErasedSinceImport,
  type PlannedParticipant,
  planParticipants,
  prepareParticipants,
} from '../../server/domains/import/participants/participants-plan.ts'
import { listAllParticipants } from '../../server/domains/participants/participants.ts'
import { readParticipantsFile } from '../import-files.ts'
import { type PlanOptions, planOrApply } from '../plan-or-apply.ts'
import { formatPlan, formatUnused } from '../plan-report.ts'

interface Options extends PlanOptions {
  /** Whether rows with another address than their participant are that person. */
  samePerson?: boolean
  /** The encoding of the file. */
  encoding?: string
}

/** `summit import participants FILE`: prints the plan, and with `--apply` carries it out. */
export async function importParticipants(
  config: Config,
  file: string,
  { apply = false, all = false, samePerson = false, encoding }: Options,
): Promise<void> {
  const decoded = await readParticipantsFile(file, encoding)
  const parsed = parseParticipants(decoded.text, config.limits)
  const { participants, unused } = parsed
  const warnings = [...decoded.warnings, ...parsed.warnings]
  const style = { noun: 'participants', all }
  console.log(`${basename(file)}: usable participants: ${participants.length}`)
  if (participants.length === 0) {
    console.log(formatPlan([], [], warnings, style) + formatUnused(unused, style))
    throw new OperatorError('Nothing was imported: the file has no usable participants.')
  }
  await planOrApply(
    config,
    {
      command: 'import participants',
      file: basename(file),
      changesLogins: true,
      nothingStored: { people: [], logins: noLogins, erased: 0 },
      loadStored: async ({ db }) => ({
        people: await listAllParticipants(db),
        logins: await loadLogins(db),
        erased: await countErasedSinceImport(db),
      }),
      showPlan: ({ people, logins, erased }) => {
        const plan = planParticipants(participants, people, logins, { samePerson })
        // With `open` no participant signs in, so the addresses do not matter yet.
        const loginWarnings = config.access === 'open' ? [] : plan.loginWarnings
        const allWarnings = [...warnings, ...plan.warnings, ...loginWarnings]
        const lines = plan.participants.map(toLine)
        console.log(formatPlan(participantChanges, lines, allWarnings, style) + formatUnused(unused, style))
        if (erased > 0 && plan.participants.some(({ change }) => change === 'new'))
          console.log(
            `\nErased since the last import: ${formatCount(erased, 'participant')}. If the file still has them, they are ` +
              'listed as new, and would be stored again: remove their rows.',
          )
        return plan.participants.some(({ change }) => change !== 'unchanged')
      },
      prepare: (scope) => prepareParticipants(scope, participants, { samePerson }),
    },
    apply,
  )
}

const toLine = ({ change, participant: { key, values }, differences }: PlannedParticipant) => ({
  change,
  text: [values.first_name, values.last_name, `<${key}>`].filter(Boolean).join(' '),
  differences,
})
