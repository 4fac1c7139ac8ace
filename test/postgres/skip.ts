import { beforeEach } from 'vitest'
import { waitForPostgres } from './provided.ts'

beforeEach(async ({ skip }) => {
  const { unavailable } = (await waitForPostgres()) ?? {}
  if (unavailable !== undefined) skip(`PostgreSQL cannot be started here: ${unavailable}`)
})
