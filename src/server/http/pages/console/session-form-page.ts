import type { Draft } from '../../../../contract/editing.ts'
import type { Data } from '../../../../contract/index.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { Failure } from '../../../core/failure.ts'
import type { EventId } from '../../../core/ids.ts'
import { idIn } from '../attendee/site.ts'
import { formNotice } from '../form.ts'
import { type Html, html } from '../html.ts'
import type { Attempt, ConsoleForm, ConsolePage, ConsoleRequest } from './console.ts'
import { type Edit, openEdit } from './edit.ts'
import { keyField } from './fields.ts'
import { changedNotice, doneQuery } from './notices.ts'
import { explainPicture, pictureForm } from './picture-form.ts'
import { changesOf, nameIn, slotText } from './session-changes.ts'
import { clashesOf, clashNotice } from './session-clashes.ts'
import { explainSession, linkRels, readSession, sessionFields, sessionValues } from './session-fields.ts'
import { unknownSpeakers } from './session-speakers.ts'

const { session: words, sessions } = consoleText

const newPath = '/console/sessions/new'
const path = '/console/sessions/:id'

export const eventIdIn = (params: Readonly<Record<string, string>>): EventId =>
  idIn<EventId>(params, new Failure('EVENT_NOT_FOUND'))

/** The page of a session, which says what was changed. */
export const toSession = (data: unknown): string => {
  const { event } = data as Data<'updateEvent'>
  return `/console/sessions/${event.id}${doneQuery(event.revision)}`
}

/** A form beside that of the session, which keeps what is typed there, and creates a speaker who was named in it. */
const speakerForm = (of: string): ConsoleForm => ({
  path: `${of}/speaker`,
  operation: 'createSpeaker',
  readForm: (sent) => ({ name: sent.create }),
})

const backLink = (base: string): Html =>
  html`<p><a class="back" href="${base}/console/sessions">${sessions.title}</a></p>`

/** Where organizers write a new session. */
export const newSessionPage: ConsolePage = {
  path: newPath,
  operation: 'getDraft',
  tab: 'program',
  forms: [
    { path: newPath, operation: 'createEvent', readForm: readSession, explain: explainSession, next: toSession },
    speakerForm(newPath),
  ],
  async render({ read, base, attempt }) {
    const { draft } = await read('getDraft', {})
    const current = sessionValues(undefined, draft)
    const edit = openEdit(current, undefined, attempt)
    return {
      title: words.newTitle,
      heading: html`${backLink(base)}\n<h1>${words.newTitle}</h1>`,
      content: html`${createdNotice(attempt)}<form class="card" method="post" action="${base}${newPath}" data-edit>
${keyField(attempt?.path === newPath ? attempt : undefined)}
${sessionFields(edit, current, { draft, attempt })}
<p class="actions"><button class="primary">${words.create}</button></p>
${newSpeakers(edit, draft, `${base}${newPath}/speaker`)}</form>
`,
    }
  },
}

/** Where organizers change a session, and see what of it is not published. */
export const sessionPage: ConsolePage = {
  path,
  operation: 'getDraftEvent',
  tab: 'program',
  forms: [
    { path, operation: 'updateEvent', readForm: readSession, explain: explainSession, next: toSession },
    speakerForm(path),
    { path: `${path}/banner`, operation: 'setBanner', explain: explainPicture, next: toSession },
    {
      path: `${path}/discard`,
      operation: 'discardDraft',
      readForm: ({ revision }, { params }) => ({ revision, events: [params.id] }),
      notice: changedNotice,
      next: (data, { id }) => `/console/sessions/${id}${doneQuery((data as Data<'discardDraft'>).revision_id)}`,
    },
    {
      path: `${path}/delete/:revision`,
      operation: 'deleteEvent',
      next: (data) => `/console/sessions${doneQuery((data as Data<'deleteEvent'>).revision_id)}`,
    },
  ],
  async render(request) {
    const { read, base, params, attempt } = request
    const { event, published } = await read('getDraftEvent', { id: eventIdIn(params) })
    const { draft } = await read('getDraft', {})
    const action = `${base}/console/sessions/${event.id}`
    const attemptAt = (form: string) => (attempt?.path === form ? attempt : undefined)
    const ownAttempt = attemptAt(path) ?? attemptAt(`${path}/speaker`)
    const current = sessionValues(event, draft)
    const edit = openEdit(current, event.revision, ownAttempt)
    const where = nameIn(draft.rooms.list, event.room_id)
    return {
      title: event.title,
      heading: html`${backLink(base)}
<h1 dir="auto"${event.is_cancelled && html` class="cancelled"`}>${event.title}</h1>
<p>${slotText(event)}${where !== '' && html`, <span dir="auto">${where}</span>`}${event.is_cancelled && html` <span class="tag bad">${words.cancelled}</span>`}${!event.is_published && html` <span class="tag warn">${words.draft}</span>`}</p>
<p class="actions"><a class="button" href="${action}/move">${words.move}</a>${!event.is_deleted && html`<a class="button" href="${action}/cancel">${event.is_cancelled ? words.restore : words.cancel}</a>`}${event.is_published && html`<a class="button" href="${base}/sessions/${event.id}">${words.see}</a>`}</p>`,
      content: html`${createdNotice(attemptAt(`${path}/speaker`))}${draftNotice(event, published, draft, request)}${clashNotice(clashesOf(event, draft), draft, base)}<form class="card" method="post" action="${action}" data-edit>
${edit.hidden}${keyField()}${linkRels(event)}
${sessionFields(edit, current, { draft, event, attempt: ownAttempt })}
<p class="actions"><button class="primary">${consoleText.save}</button></p>
${newSpeakers(edit, draft, `${action}/speaker`)}</form>
<section class="card">
<h2>${words.banner}</h2>
${pictureForm({
  action: `${action}/banner`,
  revision: event.revision,
  attempt: attemptAt(`${path}/banner`),
  label: words.bannerLabel,
  hint: event.is_published ? words.bannerHintPublished : words.bannerHint,
  shown:
    event.banner_url === null
      ? undefined
      : html`<img class="banner" src="${base}/api/program/draft/events/${event.id}/banner?revision=${event.revision}" alt="${words.bannerLabel}" loading="lazy">`,
})}</section>
${
  !event.is_deleted &&
  html`<section class="card">
<h2>${words.delete}</h2>
<form method="post" action="${action}/delete/${event.revision}">
<p>${event.is_published ? words.deleteHintPublished : words.deleteHint}</p>
<p class="actions"><button class="danger">${words.delete}</button></p>
</form>
</section>
`
}`,
    }
  },
}

/** Says that a speaker was created for a session that is not saved. */
const createdNotice = (attempt: Attempt | undefined): Html | undefined =>
  attempt?.data === undefined
    ? undefined
    : formNotice(words.speakerCreated((attempt.data as Data<'createSpeaker'>).speaker.name), 'ok')

/** Buttons that create the speakers who were named and do not exist. The first button of a form is that of Enter, so they are last. */
function newSpeakers(edit: Edit, { speakers }: Draft, action: string): Html | undefined {
  const names = unknownSpeakers(edit, speakers)
  if (names.length === 0) return undefined
  return html`<p class="actions">${names.map((name) => html`<button name="create" value="${name}" formaction="${action}">${words.createSpeaker(name)}</button>\n`)}</p>\n`
}

/** Says what attendees do not see of a session, with what to do about it. */
function draftNotice(
  event: Data<'getDraftEvent'>['event'],
  published: Data<'getDraftEvent'>['published'],
  draft: Draft,
  { base }: ConsoleRequest,
): Html | undefined {
  if (published && event.changes.length === 0) return undefined
  const publish = html`<a class="button" href="${base}/console/publish?event=${event.id}">${words.publish}</a>`
  if (!published)
    return html`<div class="notice warn unpublished"><p>${words.neverPublished}</p>\n<p class="actions">${publish}</p></div>\n`
  const changes = event.is_deleted ? [] : changesOf(event, published, draft)
  return html`<div class="notice warn unpublished"><p>${event.is_deleted ? words.willBeRemoved : words.notPublished}</p>
${changes.length > 0 && html`<ul>${changes.map((change) => html`<li dir="auto">${change}</li>`)}</ul>\n`}<form class="actions" method="post" action="${base}/console/sessions/${event.id}/discard"><input type="hidden" name="revision" value="${event.revision}">${publish}<button>${event.is_deleted ? words.keep : words.discard}</button></form>
</div>
`
}
