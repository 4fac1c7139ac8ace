import { consoleText } from '../../../../web/text/en-console.ts'
import { Failure } from '../../../core/failure.ts'
import { type Html, html } from '../html.ts'
import type { Attempt } from './console.ts'
import { openEdit } from './edit.ts'
import { fieldWith } from './fields.ts'

const { picture } = consoleText

interface PictureForm {
  /** Where the form is sent, with the base. */
  action: string
  /** Of the record that has the picture. */
  revision: number
  attempt: Attempt | undefined
  /** What it is a picture of, as a label. */
  label: string
  /** What else to know of it. */
  hint?: string
  /** The picture that there is; undefined for none. */
  shown: Html | undefined
}

/** A form for the picture of a record: chosen or dropped, and removed by a form of its own. */
export function pictureForm({ action, revision, attempt, label, hint = '', shown }: PictureForm): Html {
  const edit = openEdit({ photo: '' }, revision, attempt)
  const revisionField = html`<input type="hidden" name="revision" value="${revision}">`
  // Browsers cannot be told which file was chosen.
  const again = attempt?.failure ? picture.again : ''
  return html`${
    shown &&
    html`<div class="picture">${shown}
<form method="post" action="${action}">${revisionField}<input type="hidden" name="photo" value=""><button class="danger">${picture.remove}</button></form></div>
`
  }<form method="post" action="${action}" enctype="multipart/form-data" data-edit>
${revisionField}
${fieldWith(
  edit,
  { name: 'photo', label, hint: [again, picture.hint, hint].join(' ').trim() },
  ({ attributes }) =>
    html`<div class="drop" data-drop><input${attributes} type="file" accept="image/*" required></div>`,
)}
<p class="actions"><button>${shown ? picture.replace : picture.add}</button></p>
</form>
`
}

/** What the image decoder says, people understand; the contract's sentence on a form without a file, they do not. */
export const explainPicture = (failure: Failure): Failure =>
  new Failure(failure.reason, {
    fields: failure.fields.map((field) => (field.reason === 'REQUIRED' ? { ...field, message: picture.none } : field)),
    cause: failure,
  })
