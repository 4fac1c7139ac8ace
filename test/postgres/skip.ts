import { beforeEach, inject } from 'vitest'

beforeEach(({ skip }) => {
  const { unavailable } = inject('postgres')
  if (unavailable !== undefined) skip(`PostgreSQL cannot be started here: ${unavailable}`)
})
