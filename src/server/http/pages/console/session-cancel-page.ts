import { consoleText } from '../../../../web/text/en-console.ts'
import { html } from '../html.ts'
import type { ConsolePage } from './console.ts'
import { changedNotice } from './notices.ts'
import { nameIn, saveButtons, slotText } from './session-changes.ts'
import { eventIdIn, toSession } from './session-form-page.ts'

const { cancelling: words } = consoleText

const path = '/console/sessions/:id/cancel'

/** Where organizers say that a session does not take place, or does after all. */
export const sessionCancelPage: ConsolePage = {
  path,
  operation: 'getDraftEvent',
  tab: 'program',
  forms: [
    {
      path,
      operation: 'updateEvent',
      readForm: ({ revision, is_cancelled, publish }) => ({
        revision,
        is_cancelled,
        ...(publish === 'true' && { publish }),
      }),
      notice: changedNotice,
      next: toSession,
    },
  ],
  async render({ read, base, params }) {
    const { event, published } = await read('getDraftEvent', { id: eventIdIn(params) })
    const { draft } = await read('getDraft', {})
    const action = `${base}/console/sessions/${event.id}`
    const { title, heading, hint, ...buttons } = event.is_cancelled ? words.restore : words.cancel
    const room = nameIn(draft.rooms.list, event.room_id)
    return {
      title: title(event.title),
      heading: html`<p><a class="back" href="${action}" dir="auto">${event.title}</a></p>
<h1>${heading}</h1>
<p dir="auto">${[slotText(event), room].filter((part) => part !== '').join(', ')}</p>`,
      isNarrow: true,
      content: html`<form class="card move" method="post" action="${action}/cancel">
<p>${hint}</p>
<input type="hidden" name="revision" value="${event.revision}"><input type="hidden" name="is_cancelled" value="${String(!event.is_cancelled)}">
${saveButtons(event, published, draft, buttons)}</form>
`,
    }
  },
}
