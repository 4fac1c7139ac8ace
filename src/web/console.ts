import { startDrop } from './lib/drop.ts'
import { startFilters, startInSight } from './lib/filters.ts'
import { startForms } from './lib/forms.ts'
import { startImports } from './lib/imports.ts'
import { startEnds, startMoves } from './lib/sessions.ts'
import { startHue, startOwnZone } from './lib/settings.ts'
import { startTicked } from './lib/ticked.ts'

// The script of the console. All of it can be used without.

startDrop()
startFilters()
// Before others count a form as sent, or as changed, that is not.
startImports()
startEnds()
startForms()
startTicked()
startMoves()
startHue()
startOwnZone()
startInSight()
