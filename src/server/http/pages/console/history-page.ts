import { revisionKinds } from '../../../../contract/revisions.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { html } from '../html.ts'
import { pager, skippedIn } from '../paging.ts'
import type { ConsolePage } from './console.ts'
import { byId, revisionItem } from './revisions.ts'

const { history } = consoleText

const revisionsPerPage = 50

/** Where organizers see what has changed, when and by whom. */
export const historyPage: ConsolePage = {
  path: '/console/history',
  operation: 'listRevisions',
  tab: 'publish',
  view: history.title,
  async render({ read, base, query }) {
    const from = skippedIn(query)
    const kind = revisionKinds.find((each) => each === query.get('kind'))
    // One more tells whether there is another page.
    const page = { offset: from, limit: revisionsPerPage + 1 }
    const { revisions } = await read('listRevisions', { ...page, ...(kind && { kind }) })
    const others = byId(revisions)
    return {
      title: history.title,
      isNarrow: true,
      content: html`${kind && html`<p>${history.only[kind]} <a href="${base}/console/history">${history.all}</a></p>\n`}${revisions.length === 0 && html`<div class="empty"><h2>${history.empty}</h2><p>${history.emptyHint}</p></div>\n`}${revisions.length > 0 && html`<ul class="entries">\n${revisions.slice(0, revisionsPerPage).map((revision) => revisionItem(revision, others, base))}</ul>\n`}${pager(
        {
          path: `${base}/console/history`,
          query: { kind: kind ?? '' },
          from,
          size: revisionsPerPage,
          hasNext: revisions.length > revisionsPerPage,
          words: { previous: history.newer, next: history.older },
        },
      )}`,
    }
  },
}
