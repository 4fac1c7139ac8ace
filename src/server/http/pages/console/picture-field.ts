import { photoMember } from '../../../../contract/uploads.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { type Html, html } from '../html.ts'
import type { Attempt } from './console.ts'
import { idOf } from './notices.ts'

const { picture: words } = consoleText

interface Picture {
  /** Of the form, below the base. */
  path: string
  base: string
  /** That of the record. */
  revision: number
  label: string
  hint: string
  /** Where the picture is; undefined for none. */
  source: string | undefined
  /** The attempt to replace it, if it was one. */
  attempt?: Attempt | undefined
}

/** Shows a picture, and lets organizers replace and remove it. Each is a form, as a form with a file has no other way to say so. */
export function pictureField({ path, base, revision, label, hint, source, attempt }: Picture): Html {
  const id = idOf(photoMember)
  const error = attempt?.failure?.fields.find(({ field }) => field === photoMember)?.message
  const seen = html`<input type="hidden" name="revision" value="${revision}">`
  return html`<div class="card picture">
${source !== undefined && html`<img src="${source}" alt="${label}" loading="lazy">\n`}<form method="post" action="${base}${path}" enctype="multipart/form-data">
${seen}
<div class="field"><label for="${id}">${source === undefined ? label : words.another}</label>
<input id="${id}" name="${photoMember}" type="file" accept="image/*" required aria-describedby="${error !== undefined && `${id}-error `}${id}-hint"${error !== undefined && html` aria-invalid="true"`}>
${error !== undefined && html`<p class="error" id="${id}-error">${words.notAnImage}</p>\n`}<p class="hint" id="${id}-hint">${hint}</p></div>
<p class="actions"><button>${source === undefined ? words.add : words.replace}</button></p>
</form>
${source !== undefined && html`<form method="post" action="${base}${path}">\n${seen}<input type="hidden" name="${photoMember}" value="">\n<p class="actions"><button class="danger">${words.remove}</button></p>\n</form>\n`}</div>
`
}
