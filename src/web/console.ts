import { startFilters } from './lib/filters.ts'
import { startForms } from './lib/forms.ts'
import { startTicked } from './lib/ticked.ts'

// The script of the console. All of it can be used without.

startFilters()
startForms()
startTicked()
