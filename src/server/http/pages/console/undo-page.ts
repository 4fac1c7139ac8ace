import type { Data } from '../../../../contract/index.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { Failure } from '../../../core/failure.ts'
import { idIn } from '../attendee/site.ts'
import type { Fields } from '../form.ts'
import { type Html, html } from '../html.ts'
import type { ConsolePage } from './console.ts'
import { doneQuery } from './notices.ts'
import { byId, describeRevision, isTakingBack, madeBy } from './revisions.ts'

const { history } = consoleText

type PlannedUndo = Data<'planUndo'>['records'][number]
type Change = PlannedUndo['change']

/** Where organizers see what the undo of a revision would do, and undo it. */
export const undoPage: ConsolePage = {
  path: '/console/history/:id',
  operation: 'listRevisions',
  tab: 'publish',
  forms: [
    {
      path: '/console/history/:id/undo',
      operation: 'undoRevision',
      next: (data, _, sent) => pageIn(sent) + doneQuery((data as Data<'undoRevision'>).revision_id),
    },
  ],
  async render({ read, base, params, attempt }) {
    const back = html`<p><a class="back" href="${base}/console/history">${history.title}</a></p>`
    const headed = (title: string) => ({ title, heading: html`${back}\n<h1>${title}</h1>`, isNarrow: true })
    if (attempt?.failure?.reason === 'REVISION_NOT_FOUND')
      return { ...headed(history.undoTitle), content: html`<p>${history.goneTitle}</p>\n` }
    const { revision, records } = await read('planUndo', { id: idIn(params, new Failure('REVISION_NOT_FOUND')) })
    const { revisions } = await read('listRevisions', { offset: 0, limit: recent })
    const others = byId(revisions)
    const isRedo = isTakingBack(revision, others)
    const ofChange = Map.groupBy(records, ({ change }) => change)
    const groups = (Object.keys(history.groups) as Change[]).flatMap(
      (change) => group(change, ofChange.get(change), base) ?? [],
    )
    const isBlocked = ofChange.has('blocked')
    const hasEffect = (['returned', 'restored', 'removed'] as const).some((change) => ofChange.has(change))
    const label = isBlocked ? (isRedo ? history.redoOthers : history.undoOthers) : isRedo ? history.redo : history.undo
    return {
      ...headed(isRedo ? history.redoTitle : history.undoTitle),
      content: html`<div>
<p><b dir="auto">${describeRevision(revision, others)}</b></p>
${revision.note !== '' && html`<p class="prose plain" dir="auto">${revision.note}</p>\n`}${madeBy(revision)}</div>
${groups}${
  hasEffect
    ? html`<form method="post" action="${base}/console/history/${revision.id}/undo">
<input type="hidden" name="next" value="${attempt ? pageIn(attempt.sent) : '/console/history'}">
${isBlocked && html`<input type="hidden" name="keep_changed" value="true">\n`}<p class="actions"><button class="primary">${label}</button> <a class="button" href="${base}/console/history">${consoleText.cancel}</a></p>
</form>
`
    : html`<p class="notice">${isBlocked ? history.allBlocked : history.nothingToUndo}</p>\n`
}`,
    }
  },
}

/** How many of the newest revisions are looked through for what an undo has undone. */
const recent = 50

/** The most records that are named: an import has thousands. */
const maxNamed = 20

function group(change: Change, records: readonly PlannedUndo[] | undefined, base: string): Html | undefined {
  if (!records) return undefined
  const others = records.length - maxNamed
  return html`<section class="plan">
<h2>${history.groups[change]} <span class="quiet">${records.length}</span></h2>
<ul class="changes">
${records
  .slice(0, maxNamed)
  .map(
    ({ text, reason, differences }) =>
      html`<li><span dir="auto">${text}</span>${reason !== null && html`<br><span class="quiet" dir="auto">${linkRevisions(reason, base)}</span>`}${differences.length > 0 && html`<br><span class="quiet" dir="auto">${differences.join(', ')}</span>`}</li>\n`,
  )}</ul>
${others > 0 && html`<p class="quiet">${consoleText.more(others)}</p>\n`}</section>
`
}

/** A reason with a link to the revision that has to be undone first. */
function linkRevisions(reason: string, base: string): Html {
  const [, before, id, after] = /^(.*?revision )(\d+)(.*)$/s.exec(reason) ?? []
  return id === undefined ? html`${reason}` : html`${before}<a href="${base}/console/history/${id}">${id}</a>${after}`
}

/** The page from which somebody has undone something: one of the console. */
const pageIn = ({ next }: Fields): string =>
  typeof next === 'string' && /^\/console(?:\/[\w-]+)*$/.test(next) ? next : '/console/history'
