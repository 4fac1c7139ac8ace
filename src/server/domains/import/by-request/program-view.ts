import { type ImportPlan, programChanges } from '../../../../contract/imports.ts'
import type { FilePlan } from '../program/plan-file.ts'
import { isSuspicious } from '../program/program-losses.ts'
import { isReverted } from '../program/program-plan.ts'
import { type ImportWarning, isExported, type UnusedValues } from '../source.ts'

/** The plan of a file as data; it has no hash yet. */
export function toImportPlan(plan: FilePlan): Omit<ImportPlan, 'hash'> {
  const { file, losses, same } = plan
  const drafted = new Set(plan.withDraft)
  const edited = new Set(plan.edited)
  const counts = Object.fromEntries(programChanges.map((change) => [change, 0])) as ImportPlan['counts']
  for (const { change } of plan.sessions) counts[change]++
  return {
    format: file.format,
    days: [...new Set(file.sessions.map(({ day }) => day))].sort(),
    room_count: new Set(file.sessions.map(({ room }) => room).filter(Boolean)).size,
    date_reading: file.dateReading ?? null,
    without_id: file.sessions.filter((session) => session.key === '' && !isExported(session)).length,
    counts,
    sessions: plan.sessions.map((planned, index) => ({
      row: index + 1,
      change: planned.change,
      event_id: planned.eventId === undefined ? null : String(planned.eventId),
      title: planned.title,
      where_and_when: planned.whereAndWhen,
      is_cancelled: planned.session?.cancelled === true,
      differences: planned.differences,
      line: planned.session?.line ?? null,
      is_reverted: isReverted(planned),
      is_edited: edited.has(planned),
      has_draft: drafted.has(planned),
    })),
    parts: plan.parts.flatMap(({ kind, change, values, differences }) => {
      // What a file does not say of the conference by name, such as an id, is no difference.
      if (change === 'unchanged' || (kind === 'conference' && differences.length === 0)) return []
      const name = 'name' in values ? String(values.name) : ''
      // All of a new room, track or speaker is new.
      return [{ kind, change, name, differences: kind !== 'conference' && change === 'new' ? [] : differences }]
    }),
    conference_left_alone: plan.conferenceDifferences,
    left_alone: plan.leftAlone,
    with_shared_id: plan.withSharedId.map(({ title, key }) => ({ title, id: key })),
    same_program: same ? { source: same.source, count: same.count, all: same.all } : null,
    clashes: plan.clashes.map(({ kind, name, sessions: [first, second] }) => ({
      kind,
      name,
      sessions: [first, second].map(({ title, startsAt, endsAt }) => ({
        title,
        starts_at: startsAt ?? '',
        ends_at: endsAt ?? '',
      })),
    })),
    losses: {
      stored: losses.stored,
      missing: losses.missing,
      replaced: losses.replaced,
      days_left_out: losses.daysLeftOut.map(({ day, sessions }) => ({ day, sessions })),
      is_unrelated: losses.isUnrelated,
      needs_replace: isSuspicious(losses),
    },
    remarks: file.warnings.map(toRemark),
    unused: file.unused.map(toUnused),
  }
}

export const toRemark = ({ line, weight, message }: ImportWarning): ImportPlan['remarks'][number] => ({
  line,
  kind: weight ?? 'assumed',
  message,
})

export const toUnused = ({ name, count, reason }: UnusedValues): ImportPlan['unused'][number] => ({
  name,
  count,
  reason: reason ?? null,
})
