import type { Data } from '../../../../contract/index.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import type { Failure } from '../../../core/failure.ts'
import { focused, formNotice } from '../form.ts'
import { type Html, html } from '../html.ts'
import type { ConsolePage, ConsoleRequest } from './console.ts'
import { openEdit } from './edit.ts'
import { hiddenFields, textField } from './fields.ts'
import { foldedList, forPage } from './import-parts.ts'
import { unchangedNotice, undoNotice } from './notices.ts'
import { pastImports } from './revisions.ts'

const { importImages: words, import: shared, notices } = consoleText

type Image = Data<'planImagesImport'>['images'][number]

const paths = { plan: '/console/import/images', apply: '/console/import/images/apply' }

/** Where organizers import pictures by the names of their files: first only the names are sent, and then the pictures. */
export const importImagesPage: ConsolePage = {
  path: paths.plan,
  operation: 'getDraft',
  tab: 'import',
  view: words.view,
  forms: [
    { path: paths.plan, operation: 'planImagesImport', notice: failureNotice },
    { path: paths.apply, operation: 'applyImagesImport', notice: failureNotice },
  ],
  async render(request: ConsoleRequest) {
    const { attempt, base } = request
    const { data, path } = attempt ?? {}
    const { images, revision_id = null } = (data ?? {}) as Partial<Data<'applyImagesImport'>>
    const isApplied = path === paths.apply
    const source = String(attempt?.sent.source ?? '')
    const found =
      images && images.length > 0 ? imageList(images, isApplied ? undefined : applyForm(base, source)) : undefined
    return {
      title: words.title,
      content: html`${images && isApplied && resultNotice(revision_id, base)}${images && !found && noPicture}${
        found
          ? html`${found}<details class="group"><summary><h2>${words.another}</h2></summary>
${chooseForm(base, source)}</details>
`
          : html`<p>${words.lead}</p>\n${chooseForm(base, source)}${await pastImports(request)}`
      }`,
    }
  },
}

const noPicture = formNotice(words.none, 'bad')

/** Of a form that is not multipart, browsers send files as their names. */
const chooseForm = (base: string, source: string): Html =>
  html`<form class="card" method="post" action="${base}${paths.plan}" data-import>
<div class="field drop" data-drop><label for="field-names">${words.files}</label>
<input type="file" id="field-names" name="names" multiple required accept="image/*" aria-describedby="field-names-hint">
<p class="hint" id="field-names-hint">${words.filesHint}</p></div>
<details class="group"${source !== '' && html` open`}><summary>${shared.options}</summary>
${textField(openEdit({ source }, undefined), { name: 'source', label: shared.source, hint: words.sourceHint })}</details>
<p class="actions"><button class="primary">${words.plan}</button></p>
<p class="progress" data-progress data-sending="${words.checking}" data-reading="${words.checking}" data-failed="${shared.notSent}"><progress max="1" hidden aria-label="${words.checking}"></progress><span role="status"></span></p>
</form>
`

/** Where each picture goes, and why some go nowhere. @param next the form that sends them; undefined if they were sent */
function imageList(images: readonly Image[], next: Html | undefined): Html {
  const matched = images.filter(({ targets }) => targets.length > 0)
  const others = images.filter(({ targets }) => targets.length === 0)
  return html`<h2${focused}>${next ? words.planTitle : words.resultTitle}</h2>
${foldedList(
  words.unmatched(others.length),
  others,
  ({ name, reason }) =>
    html`<strong dir="auto">${name}</strong> <span class="difference" dir="auto">${reason !== null && forPage(reason)}</span>`,
)}${others.length > 0 && html`<p class="hint">${words.rename}</p>\n`}${foldedList(words.matched(matched.length), matched, matchedItem)}${matched.length > 0 && next}`
}

const matchedItem = ({ name, targets }: Image): Html =>
  html`<div data-picture="${name}"><strong dir="auto">${name}</strong> <span class="quiet" data-state></span>${targets.map(
    ({ picture, name, change }) =>
      html`<span class="difference">${words.pictures[picture]} <span dir="auto">${name}</span>${change !== 'new' && html` <span class="tag">${words.changes[change]}</span>`}</span>\n`,
  )}</div>`

/** The script sends picture after picture; without it, all of them are sent together. */
const applyForm = (base: string, source: string): Html =>
  html`<form class="card" method="post" action="${base}${paths.apply}" enctype="multipart/form-data" data-pictures="${base}${paths.plan}">
${hiddenFields({ source }, ['source'])}<div class="field" data-same-file><label for="field-same-file">${words.again}</label>
<input type="file" id="field-same-file" name="uploaded_files" multiple required accept="image/*" aria-describedby="field-same-file-hint">
<p class="hint" id="field-same-file-hint">${words.withoutScript}</p></div>
<p class="actions"><button class="primary">${words.apply}</button></p>
<p class="progress" data-progress data-counting="${words.progress('{done}', '{all}')}" data-unsent="${words.notSent}" data-go="${words.go}"><progress max="1" hidden aria-label="${words.files}"></progress><span role="status"></span></p>
</form>
`

function resultNotice(revision: string | null, base: string): Html {
  if (revision === null) return unchangedNotice
  const said = notices.commands['import images'] ?? ''
  return undoNotice({ id: revision }, said, `${base}/console/history`, paths.plan)
}

function failureNotice({ reason, fields, message }: Failure): Html {
  const said = fields.length > 0 ? fields.map((field) => field.message) : [message]
  const [first = message, ...others] = reason === 'EVENT_CHANGED' ? [words.gone] : said
  return formNotice(first, 'bad', html`${others.map((fault) => html`<p>${fault}</p>\n`)}`)
}
