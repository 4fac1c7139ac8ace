import type { editing } from '../../../contract/editing.ts'
import type { revisions } from '../../../contract/revisions.ts'
import type { Handlers } from '../../operation.ts'
import { getDraft, getDraftEvent } from './draft.ts'
import { deleteEvent, prepareEvent, prepareNewEvent } from './events.ts'
import { discardDraft, publish } from './publish.ts'
import { listReleases } from './releases.ts'
import { listRevisions, planUndo, undo } from './revisions.ts'

export const editingRoutes: Handlers<keyof typeof editing | keyof typeof revisions> = {
  getDraft,
  getDraftEvent: (scope, { id }) => getDraftEvent(scope, id),
  createEvent: { prepare: prepareNewEvent },
  updateEvent: { prepare: prepareEvent },
  deleteEvent,
  publish,
  discardDraft,
  listReleases: { read: listReleases, dependsOn: () => ['program'] },
  listRevisions,
  planUndo: (scope, { id }) => planUndo(scope, id),
  undoRevision: undo,
}
