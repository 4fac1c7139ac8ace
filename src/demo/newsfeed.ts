import { firstDayTopics } from './newsfeed-1.ts'
import { secondDayTopics } from './newsfeed-2.ts'
import { thirdDayTopics } from './newsfeed-3.ts'
import type { SampleTopic } from './shapes.ts'

/** The news feed, oldest topic first. */
export const topics: SampleTopic[] = [...firstDayTopics, ...secondDayTopics, ...thirdDayTopics]
