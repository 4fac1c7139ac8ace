import { test } from 'vitest'
import { sendRandomRequests } from './send-random-requests.ts'

test('400 random requests get legal responses in time', { timeout: 100_000 }, () => sendRandomRequests(400))
