import { startDrop } from './lib/drop.ts'
import { startFilters } from './lib/filters.ts'
import { startForms } from './lib/forms.ts'

// The script of the console. All of it can be used without.

startDrop()
startFilters()
startForms()
