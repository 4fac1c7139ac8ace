import type { SourceSpeaker } from '../source.ts'
import { countFitting } from '../text/join-distinct.ts'

/**
 * Drops speakers from the end until their joined names have at most `limit` characters, then their positions and
 * companies in the same way: an event stores each in one line.
 *
 * @param speakers each value is short enough on its own
 * @param onDrop called with the name of the list that was too long, such as `speakers`, and the number of dropped
 *   entries
 */
export function fitSpeakers(
  speakers: readonly SourceSpeaker[],
  limit: number,
  onDrop: (label: string, count: number) => void,
): SourceSpeaker[] {
  const countRemaining = (label: string, values: string[]): number => {
    const count = countFitting(values, limit)
    const dropped = values.slice(count).filter((value) => value !== '').length
    if (dropped > 0) onDrop(label, dropped)
    return count
  }
  const remaining = speakers.slice(
    0,
    countRemaining(
      'speakers',
      speakers.map(({ name }) => name),
    ),
  )
  const positions = countRemaining(
    'positions',
    remaining.map(({ position }) => position),
  )
  const companies = countRemaining(
    'companies',
    remaining.map(({ company }) => company),
  )
  return remaining.map(({ name, position, company }, index) => ({
    name,
    position: index < positions ? position : '',
    company: index < companies ? company : '',
  }))
}
