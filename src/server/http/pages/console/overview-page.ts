import { consoleText } from '../../../../web/text/en-console.ts'
import { html } from '../html.ts'
import type { ConsolePage } from './console.ts'

const { overview } = consoleText

/** Where organizers see what is left to do. */
export const overviewPage: ConsolePage = {
  path: '/console',
  operation: 'getMe',
  tab: 'overview',
  view: overview.title,
  render: async () => ({ title: overview.title, content: html`` }),
}
