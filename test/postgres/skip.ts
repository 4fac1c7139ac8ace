import { beforeEach } from 'vitest'
import { providedPostgres } from './provided.ts'

beforeEach(async ({ skip }) => {
  const { unavailable } = (await providedPostgres()) ?? {}
  if (unavailable !== undefined) skip(`PostgreSQL cannot be started here: ${unavailable}`)
})
