import { consoleText } from '../../../../web/text/en-console.ts'
import { html } from '../html.ts'
import type { ConsolePage } from './console.ts'

const { exports: words } = consoleText

/** Where organizers take the program elsewhere, and copy its addresses for those who read it. */
export const exportsPage: ConsolePage = {
  path: '/console/exports',
  operation: 'readOverview',
  tab: 'import',
  view: words.view,
  async render({ base, baseUrl, isPublic }) {
    // In the order of the texts: what most people need comes first.
    const items = Object.entries(words.files).map(([file, [name, use]]) => {
      const path = `/api/program/export/${file}`
      const id = `address-${file.replace('.', '-')}`
      return html`<li class="card"><h2>${name}</h2>
<p>${use}</p>
<div class="field"><label for="${id}">${words.address}</label>
<input id="${id}" readonly value="${baseUrl}${path}" data-copy></div>
<p class="actions"><a class="button" href="${base}${path}" download="${file}">${words.download(file)}</a></p></li>
`
    })
    return {
      title: words.title,
      content: html`<p>${words.lead} ${isPublic && words.open}</p>
${!isPublic && html`<p class="notice">${words.closed} <code>summit key create "conference app" --app</code></p>\n`}<ul class="exports">
${items}</ul>
<p>${words.others} <code>summit export participants --out people.csv</code></p>
`,
    }
  },
}
