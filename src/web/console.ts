import { startDrop } from './lib/drop.ts'
import { startFilters } from './lib/filters.ts'
import { startForms } from './lib/forms.ts'
import { startHue } from './lib/hue.ts'
import { startOwnZone } from './lib/own-zone.ts'

// The script of the console. All of it can be used without.

startDrop()
startFilters()
startForms()
startHue()
startOwnZone()
