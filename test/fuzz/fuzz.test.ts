import { test } from 'vitest'
import { sendRandomRequests } from './send-random-requests.ts'

test('200 random requests get legal responses in time', { timeout: 100_000 }, () => sendRandomRequests(200))
