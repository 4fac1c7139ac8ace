import { fitting } from '../joined.ts'
import type { SourceSpeaker } from '../source.ts'

/**
 * The speakers whose names are at most `limit` characters together, with those positions and companies that are: an
 * event has each in one line.
 *
 * @param speakers each with values that are short enough by themselves
 * @param onLeftOut called with what was too long (`speakers`) and how many of them were left out
 */
export function fitSpeakers(
  speakers: readonly SourceSpeaker[],
  limit: number,
  onLeftOut: (what: string, count: number) => void,
): SourceSpeaker[] {
  const fits = (what: string, values: string[]): number => {
    const count = fitting(values, limit)
    const leftOut = values.slice(count).filter((value) => value !== '').length
    if (leftOut > 0) onLeftOut(what, leftOut)
    return count
  }
  const named = speakers.slice(
    0,
    fits(
      'speakers',
      speakers.map(({ name }) => name),
    ),
  )
  const positions = fits(
    'positions',
    named.map(({ position }) => position),
  )
  const companies = fits(
    'companies',
    named.map(({ company }) => company),
  )
  return named.map(({ name, position, company }, index) => ({
    name,
    position: index < positions ? position : '',
    company: index < companies ? company : '',
  }))
}
