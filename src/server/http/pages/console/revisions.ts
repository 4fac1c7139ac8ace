import type { Revision } from '../../../../contract/revisions.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { commandName } from '../../../core/command-name.ts'
import { datedClock } from '../dates.ts'
import { type Html, html } from '../html.ts'
import type { ConsoleRequest } from './console.ts'

const { history, import: words } = consoleText

/** What a revision has done, in a sentence. @param others those that it may undo, by id */
export function describeRevision(revision: Revision, others: ReadonlyMap<string, Revision>): string {
  const { command, file, kind, records, title, undoes } = revision
  if (kind === 'undo' && undoes !== null) {
    const undone = others.get(undoes)
    const isRedo = undone?.kind === 'undo' && undone.undoes !== null
    const id = isRedo ? (undone.undoes ?? undoes) : undoes
    const target = others.get(id)
    // An undone revision does not know any more what it had changed, but its undo does.
    const said = target ? describeRevision({ ...target, title: target.title || title }, others) : history.change(id)
    return isRedo ? history.redid(said) : history.undid(said)
  }
  const said = history.commands[command]?.(file) ?? command
  if (title !== '') return history.named(said, title)
  // The states of an undone revision are gone, and with them their number.
  if (records === 0 || (kind === 'edit' && records === 1)) return said
  return kind === 'publication' ? history.sessions(said, records) : history.records(said, records)
}

/** Whether a revision has taken something back, so that undoing it does that again. */
export function isTakingBack({ kind, undoes }: Revision, others: ReadonlyMap<string, Revision>): boolean {
  const undone = others.get(undoes ?? '')
  return kind === 'undo' && !(undone && isTakingBack(undone, others))
}

export const byId = (revisions: readonly Revision[]): ReadonlyMap<string, Revision> =>
  new Map(revisions.map((revision) => [revision.id, revision]))

/** Who has made a revision, and when. */
export const madeBy = ({ id, at, organizer }: Revision): Html =>
  html`<p class="quiet"><time datetime="${at}">${datedClock(at)}</time>, <span dir="auto">${organizer ?? history.operator}</span>, ${history.number(id)}</p>
`

/** How many of the newest imports are listed below the forms of imports. */
const maxImports = 10

/** The imports so far, for those who may see the history. */
export async function pastImports({ read, mayUse, base }: ConsoleRequest): Promise<Html | undefined> {
  if (!mayUse('listRevisions')) return undefined
  const { revisions } = await read('listRevisions', { offset: 0, limit: maxImports + 1, kind: 'import' })
  if (revisions.length === 0) return undefined
  const others = byId(revisions)
  return html`<section><h2>${words.past}</h2>
<ul class="entries">
${revisions.slice(0, maxImports).map((revision) => revisionItem(revision, others, base))}</ul>
${revisions.length > maxImports && html`<p><a href="${base}/console/history?kind=import">${words.allPast}</a></p>\n`}</section>
`
}

/** A revision in a list, with what may be done about it. */
export function revisionItem(revision: Revision, others: ReadonlyMap<string, Revision>, base: string): Html {
  const { id, kind, note, is_undone, is_undoable, is_release } = revision
  const said = describeRevision(revision, others)
  const isRedo = isTakingBack(revision, others)
  const named = isRedo ? history.redoNamed(said) : history.undoNamed(said)
  return html`<li class="entry"><div>
<p><b dir="auto">${said}</b>${is_release && kind !== 'publication' && html` <span class="tag">${history.isPublished}</span>`}${is_undone && html` <span class="tag warn">${history.isUndone}</span>`}</p>
${note !== '' && html`<p class="prose plain" dir="auto">${note}</p>\n`}${madeBy(revision)}${!is_undone && !is_undoable && html`<p class="hint">${history.onlyCommand} <code>${commandName} import undo ${id}</code></p>\n`}</div>
${is_undoable && html`<a class="button" href="${base}/console/history/${id}" aria-label="${named}">${isRedo ? history.redo : history.undo}</a>\n`}</li>
`
}
