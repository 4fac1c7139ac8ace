import type { FastifyRequest } from 'fastify'
import { consoleText } from '../../../../web/text/en-console.ts'
import type { Failure } from '../../../core/failure.ts'
import { formNotice } from '../form.ts'
import { type Html, html } from '../html.ts'
import { pathOf } from '../page.ts'
import type { ConsoleRequest } from './console.ts'
import { byId, isTakingBack } from './revisions.ts'

const { notices } = consoleText

/** Says what was wrong with a form. Fields say more beside themselves. */
export function failureNotice({ reason, message, fields }: Failure): Html {
  if (reason === 'EVENT_CHANGED') return formNotice(notices.changedMeanwhile, 'warn')
  if (reason === 'UNDO_BLOCKED') return formNotice(notices.undoBlocked, 'warn')
  if (reason === 'IN_USE') return formNotice(notices.inUse, 'bad')
  if (fields.length === 0) return formNotice(message, 'bad')
  const links = fields.map(({ field, message }) => html`<li><a href="#${idOf(field)}">${message}</a></li>`)
  return formNotice(notices.invalid(fields.length), 'bad', html`<ul>${links}</ul>\n`)
}

/** As {@link failureNotice}, for a form in which nothing is typed: what has changed since the page was shown is on it. */
export const changedNotice = (failure: Failure): Html =>
  failure.reason === 'EVENT_CHANGED' ? formNotice(notices.changedSinceShown, 'warn') : failureNotice(failure)

/** The id of the element of a field, by the name of the member. */
export const idOf = (field: string): string => `field-${field.replaceAll(/[^\w-]+/g, '-')}`

/** How many of the newest revisions are looked through for the one that a form has just made. */
const recent = 20

/**
 * Says what the revision in the query of `done` has changed, with a button that undoes it. A link of somebody else shows no
 * more than the list of revisions does.
 */
export async function revisionNotice(
  { query, read, mayUse, base }: ConsoleRequest,
  request: FastifyRequest,
): Promise<Html | undefined> {
  const done = query.get('done')
  if (done === null || !mayUse('listRevisions')) return undefined
  if (done === '') return unchangedNotice
  const { revisions } = await read('listRevisions', { offset: 0, limit: recent })
  const revision = revisions.find(({ id }) => id === done)
  if (!revision) return undefined
  const { command, kind, records } = revision
  const isRedo = isTakingBack(revision, byId(revisions))
  const said =
    kind === 'undo' && !isRedo
      ? notices.redone
      : (notices.commands[`${command} ${kind}`] ?? notices.commands[command] ?? notices.changed(records))
  if (revision.is_undone || !revision.is_undoable) return formNotice(said, 'ok')
  return undoNotice({ id: done, isRedo }, said, `${base}/console/history`, pathOf(request))
}

/** @param next the path of the page that shows it, below the base */
export const undoNotice = (
  { id, isRedo = false }: { id: string; isRedo?: boolean },
  said: string,
  history: string,
  next: string,
): Html =>
  formNotice(
    said,
    'ok',
    html`<form method="post" action="${history}/${id}/undo">
<input type="hidden" name="next" value="${next}">
<button>${isRedo ? notices.redo : notices.undo}</button>
</form>
`,
  )

/** For a form in which there was nothing to do. */
export const unchangedNotice = formNotice(notices.unchanged)

/** The query with which the page after a form says what it has changed. @param revision null for nothing */
export const doneQuery = (revision: string | number | null): string => `?done=${revision ?? ''}`
