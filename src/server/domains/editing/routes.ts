import type { editing } from '../../../contract/editing.ts'
import type { Handlers } from '../../operation.ts'
import { getDraft, getDraftEvent } from './draft.ts'
import { deleteEvent, prepareEvent, prepareNewEvent } from './events.ts'
import { discardDraft, publish } from './publish.ts'

export const editingRoutes: Handlers<keyof typeof editing> = {
  getDraft,
  getDraftEvent: (scope, { id }) => getDraftEvent(scope, id),
  createEvent: { prepare: prepareNewEvent },
  updateEvent: { prepare: prepareEvent },
  deleteEvent,
  publish,
  discardDraft,
}
