import { firstDayTopics } from './newsfeed-1.ts'
import { firstEveningTopics } from './newsfeed-2.ts'
import { secondDayTopics } from './newsfeed-3.ts'
import type { SampleTopic } from './shapes.ts'

/** The news feed. After an early first start, some of the second day are older than the last of the first evening. */
export const topics: SampleTopic[] = [...firstDayTopics, ...firstEveningTopics, ...secondDayTopics]
