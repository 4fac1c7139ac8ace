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
    // One more tells whether there is another page.
    const { revisions } = await read('listRevisions', { offset: from, limit: revisionsPerPage + 1 })
    const others = byId(revisions)
    return {
      title: history.title,
      isNarrow: true,
      content: html`${revisions.length === 0 && html`<div class="empty"><h2>${history.empty}</h2><p>${history.emptyHint}</p></div>\n`}${revisions.length > 0 && html`<ul class="entries">\n${revisions.slice(0, revisionsPerPage).map((revision) => revisionItem(revision, others, base))}</ul>\n`}${pager(
        {
          path: `${base}/console/history`,
          from,
          size: revisionsPerPage,
          hasNext: revisions.length > revisionsPerPage,
          words: { previous: history.newer, next: history.older },
        },
      )}`,
    }
  },
}
