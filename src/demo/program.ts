import { firstDay } from './program-1.ts'
import { secondDay } from './program-2.ts'
import { secondEvening } from './program-2-evening.ts'
import { thirdDay, unscheduled } from './program-3.ts'
import type { SampleEvent } from './shapes.ts'

/** All sessions, with their day: 0 is the first. */
export const events: SampleEvent[] = [
  ...[firstDay, [...secondDay, ...secondEvening], thirdDay].flatMap((sessions, day) =>
    sessions.map((session) => ({ ...session, day })),
  ),
  ...unscheduled.map((session) => ({ ...session, day: null })),
]
