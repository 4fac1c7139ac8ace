import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type ParticipantsPlan, participantChanges } from '../../../../contract/imports.ts'
import type { Limits } from '../../../../contract/limits.ts'
import { OperatorError } from '../../../core/errors.ts'
import { isParticipantsTable, parseParticipants } from '../csv/participants-csv.ts'
import { toText } from '../encoding/program-files.ts'
import type { KnownLogins } from '../participants/login-plan.ts'
import type { ParticipantRow } from '../participants/participant-identities.ts'
import { type PlanChoices, type PlannedParticipant, planParticipants } from '../participants/participants-plan.ts'
import type { RejectedFile } from './plan-program.ts'
import { toRemark, toUnused } from './program-view.ts'

/** A spreadsheet to plan, with everything that the plan depends on. */
export interface ParticipantsJob {
  kind: 'participants'
  path: string
  name: string
  encoding: string | undefined
  choices: PlanChoices
  limits: Limits
  people: ParticipantRow[]
  logins: KnownLogins
  /** How many were erased since the last import. */
  erased: number
}

/** A plan as it is shown, and as it is applied. */
export interface PlannedSpreadsheet {
  shown: ParticipantsPlan
  plan: PlannedParticipant[]
}

/** Reads a spreadsheet and plans its import. */
export async function planSpreadsheet(job: ParticipantsJob): Promise<PlannedSpreadsheet | RejectedFile> {
  const { path, name, encoding, choices, limits, people, logins, erased } = job
  try {
    const bytes = await readFile(path)
    const { text, warnings: ofEncoding } = await toText(bytes, name, encoding, isParticipantsTable)
    const { participants: rows, warnings: ofRows, unused } = parseParticipants(text, limits)
    if (rows.length === 0) return { rejected: [...ofEncoding, ...ofRows] }
    const { participants, warnings, loginWarnings } = planParticipants(rows, people, logins, choices)
    const counts = Object.fromEntries(participantChanges.map((change) => [change, 0])) as ParticipantsPlan['counts']
    for (const { change } of participants) counts[change]++
    const shown = {
      counts,
      participants: participants.map(({ change, id, differences, participant: { key, values, line } }, index) => ({
        row: index + 1,
        change,
        participant_id: id === undefined ? null : String(id),
        name: [values.first_name, values.last_name, `<${key}>`].filter(Boolean).join(' '),
        differences,
        line,
      })),
      erased_count: erased,
      remarks: [...ofEncoding, ...ofRows, ...warnings, ...loginWarnings].map(toRemark),
      unused: unused.map(toUnused),
    }
    const known = Object.values(logins).map((entries: Iterable<unknown>) => [...entries])
    const hash = createHash('sha256')
      .update(bytes)
      .update(JSON.stringify([choices, people, known, shown]))
      .digest('hex')
    return { shown: { hash, ...shown }, plan: participants }
  } catch (error) {
    if (error instanceof OperatorError) return { rejected: [{ line: undefined, message: error.message }] }
    throw error
  }
}
