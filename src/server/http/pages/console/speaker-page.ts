import type { DraftEvent, DraftSpeaker } from '../../../../contract/editing.ts'
import type { Data } from '../../../../contract/index.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { Failure } from '../../../core/failure.ts'
import type { SpeakerId } from '../../../core/ids.ts'
import { outsideLink } from '../attendee/linked-text.ts'
import { aboutOf, avatar } from '../attendee/persons.ts'
import { idIn } from '../attendee/site.ts'
import { datedSpan } from '../dates.ts'
import { type Html, html } from '../html.ts'
import type { ConsolePage, ConsoleRequest } from './console.ts'
import { doneQuery } from './notices.ts'
import { explainPicture, pictureForm } from './picture-form.ts'
import { explainSpeaker, readSpeaker, speakerForm } from './speaker-form.ts'

const { speaker: words, speakers } = consoleText

const backLink = (base: string): Html =>
  html`<p><a class="back" href="${base}/console/speakers">${speakers.title}</a></p>`

export const newSpeakerPage: ConsolePage = {
  path: '/console/speakers/new',
  operation: 'getDraft',
  tab: 'program',
  forms: [
    {
      path: '/console/speakers/new',
      operation: 'createSpeaker',
      readForm: readSpeaker,
      explain: explainSpeaker,
      next: (data) => pageAfter((data as Data<'createSpeaker'>).speaker),
    },
  ],
  render: async ({ base, attempt }) => ({
    title: words.fresh,
    heading: html`${backLink(base)}\n<h1>${words.fresh}</h1>`,
    isNarrow: true,
    content: speakerForm(`${base}/console/speakers/new`, undefined, attempt),
  }),
}

/** Where an editor changes a speaker, their photo and links. */
export const speakerPage: ConsolePage = {
  path: '/console/speakers/:id',
  operation: 'getDraftSpeaker',
  tab: 'program',
  forms: [
    {
      path: '/console/speakers/:id',
      operation: 'updateSpeaker',
      readForm: readSpeaker,
      explain: explainSpeaker,
      next: (data) => pageAfter((data as Data<'updateSpeaker'>).speaker),
    },
    {
      path: '/console/speakers/:id/photo',
      operation: 'setSpeakerPhoto',
      explain: explainPicture,
      next: (data) => pageAfter((data as Data<'setSpeakerPhoto'>).speaker),
    },
  ],
  async render(request) {
    const { base, attempt } = request
    const { speaker, events } = await readSpeakerIn(request)
    const path = `${base}/console/speakers/${speaker.id}`
    const photo = draftPhotoOf(speaker, request)
    const { photo_url, revision } = speaker
    const isElsewhere = photo_url !== null && photo === undefined
    return {
      title: speaker.name || words.nameless,
      heading: html`${backLink(base)}
<div class="profile">${avatar(speaker.name, photo, 'large')}
<div><h1 dir="auto">${speaker.name || words.nameless}</h1>
${aboutOf(speaker) !== '' && html`<p class="lead" dir="auto">${aboutOf(speaker)}</p>\n`}</div></div>`,
      isNarrow: true,
      content: html`${speakerForm(path, speaker, attempt?.path === speakerPage.path ? attempt : undefined)}
<section class="card">
<h2>${words.photo}</h2>
${isElsewhere && html`<p>${words.photoElsewhere} ${outsideLink(photo_url, '')}</p>\n`}${pictureForm({
  action: `${path}/photo`,
  revision,
  attempt: attempt?.path.endsWith('/photo') ? attempt : undefined,
  label: words.choosePhoto,
  shown: photo === undefined ? undefined : html`<img src="${photo}" alt="${speaker.name}" loading="lazy">`,
})}</section>
<section>
<h2>${words.sessionsTitle}</h2>
${events.length === 0 ? html`<p class="quiet">${words.noSessions}</p>` : sessionsOf(events, base)}
</section>
<p class="actions"><a class="button danger" href="${path}/erase">${words.erase}</a></p>
`,
    }
  },
}

/** Says what an erasure deletes, and that it cannot be undone, before it does. */
export const eraseSpeakerPage: ConsolePage = {
  path: '/console/speakers/:id/erase',
  operation: 'getDraftSpeaker',
  tab: 'program',
  forms: [
    {
      path: '/console/speakers/:id/erase/:revision',
      operation: 'deleteSpeaker',
      next: () => '/console/speakers?erased=1',
    },
  ],
  async render(request) {
    const { base } = request
    const { speaker, events } = await readSpeakerIn(request)
    const name = speaker.name || words.nameless
    const path = `${base}/console/speakers/${speaker.id}`
    return {
      title: words.eraseTitle(name),
      heading: html`<p><a class="back" href="${path}" dir="auto">${name}</a></p>\n<h1 dir="auto">${words.eraseTitle(name)}</h1>`,
      isNarrow: true,
      content: html`<p class="notice warn">${words.eraseHint}</p>
<section>
<h2>${words.sessionsTitle}</h2>
${events.length === 0 ? html`<p>${words.eraseNoSessions}</p>` : html`<p>${words.eraseSessions}</p>\n${sessionsOf(events, base)}`}
</section>
<form method="post" action="${path}/erase/${speaker.revision}"><p class="actions"><button class="danger" dir="auto">${words.eraseNow(name)}</button> <a class="button" href="${path}">${consoleText.cancel}</a></p></form>
`,
    }
  },
}

const pageAfter = ({ id, revision }: DraftSpeaker): string => `/console/speakers/${id}${doneQuery(revision)}`

/** @throws Failure SPEAKER_NOT_FOUND */
async function readSpeakerIn({ read, params }: ConsoleRequest) {
  const id = idIn<SpeakerId>(params, new Failure('SPEAKER_NOT_FOUND'))
  const { speaker } = await read('getDraftSpeaker', { id })
  const { events } = (await read('getDraft', {})).draft
  return { speaker, events: events.filter(({ speaker_ids }) => speaker_ids.includes(speaker.id)) }
}

/** The path of a photo that is stored here, which attendees may not see; undefined for none, or one elsewhere. */
export const draftPhotoOf = (
  { id, photo_url }: Pick<DraftSpeaker, 'id' | 'photo_url'>,
  { base, localPath }: Pick<ConsoleRequest, 'base' | 'localPath'>,
): string | undefined =>
  localPath(photo_url) === undefined ? undefined : `${base}/api/program/draft/speakers/${id}/photo`

const sessionsOf = (events: readonly DraftEvent[], base: string): Html =>
  html`<ul class="titles">
${events.map(
  ({ id, title, starts_at, ends_at, is_published }) =>
    html`<li><a href="${base}/console/sessions/${id}" dir="auto">${title}</a>${!is_published && html` <span class="tag warn">${words.notPublished}</span>`}${starts_at !== null && html` <span class="quiet">${datedSpan({ starts_at, ends_at })}</span>`}</li>\n`,
)}</ul>`
