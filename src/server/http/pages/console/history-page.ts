import type { Data } from '../../../../contract/index.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import type { Fields } from '../form.ts'
import { html } from '../html.ts'
import type { ConsolePage } from './console.ts'
import { doneQuery } from './notices.ts'

const { history } = consoleText

/** Where organizers see what has changed, and take it back. */
export const historyPage: ConsolePage = {
  path: '/console/history',
  operation: 'listRevisions',
  tab: 'publish',
  view: history.title,
  forms: [
    {
      path: '/console/history/:id/undo',
      operation: 'undoRevision',
      next: (data, _, sent) => pageIn(sent) + doneQuery((data as Data<'undoRevision'>).revision_id),
    },
  ],
  render: async () => ({ title: history.title, content: html`` }),
}

/** The page from which somebody has undone something: one of the console. */
const pageIn = ({ next }: Fields): string =>
  typeof next === 'string' && /^\/console(?:\/[\w-]+)*$/.test(next) ? next : '/console/history'
