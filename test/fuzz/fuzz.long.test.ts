import { test } from 'vitest'
import { sendRandomRequests } from './send-random-requests.ts'

test('3,000 random requests get legal responses in time', () => sendRandomRequests(3_000))
