import { startClock } from './lib/clock.ts'
import { startFilters } from './lib/filters.ts'
import { startPlan } from './lib/plan.ts'
import { startStars } from './lib/stars.ts'

// The script of the pages for attendees. All of them can be read without it.

startStars()
startClock()
startFilters()
startPlan()
