import type { inspectConfig } from '../../server/config/config.ts'
import { type Diagnosis, orOk, problem, warning } from './diagnosis.ts'

/** Whether every setting is valid and has an effect. */
export function checkSettings({ effective, invalid, ignored }: ReturnType<typeof inspectConfig>): Diagnosis[] {
  const given = effective.filter(({ source }) => source !== 'default').map(({ name }) => name)
  return orOk(
    [...[...invalid.values()].map(problem), ...ignored.map(warning)],
    given.length === 0 ? 'none is set; all have their defaults' : `${given.join(', ')}`,
  )
}
