import type { Data } from '../../../../contract/index.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { html } from '../html.ts'
import { defaultHue } from '../layout.ts'
import type { ConsolePage } from './console.ts'
import { explainWith, openEdit, readEdit } from './edit.ts'
import { selectField, textField, zoneOptions } from './fields.ts'
import { doneQuery } from './notices.ts'
import { explainPicture, pictureForm } from './picture-form.ts'

const { settings } = consoleText

type Conference = Data<'getDraft'>['draft']['conference']

/** Where organizers name the conference, and say when and where it is. */
export const settingsPage: ConsolePage = {
  path: '/console/settings',
  operation: 'getDraft',
  tab: 'settings',
  view: settings.title,
  forms: [
    {
      path: '/console/settings',
      operation: 'updateConference',
      // An empty hue is that of Summit.
      readForm: readEdit(({ hue, ...members }) => ({ ...members, ...(hue !== undefined && { hue: hue || '-1' }) })),
      explain: explainWith(
        {
          title: settings.name,
          acronym: settings.acronym,
          url: settings.url,
          first_day: settings.firstDay,
          last_day: settings.lastDay,
          time_zone: settings.zone,
          hue: settings.hue,
        },
        { hue: settings.hueRange },
      ),
      next: pageAfter,
    },
    { path: '/console/settings/logo', operation: 'setLogo', explain: explainPicture, next: pageAfter },
  ],
  async render({ read, base, localPath, attempt }) {
    const { conference } = (await read('getDraft', {})).draft
    const { revision, logo_url } = conference
    const edit = openEdit(valuesOf(conference), revision, attempt?.path === settingsPage.path ? attempt : undefined)
    const logo = localPath(logo_url)
    return {
      title: settings.title,
      isNarrow: true,
      content: html`<form class="card groups" method="post" action="${base}/console/settings" data-edit>
${edit.hidden}
<fieldset><legend>${settings.conference}</legend>
${textField(edit, { name: 'title', label: settings.name })}
${textField(edit, { name: 'acronym', label: settings.acronym, hint: settings.acronymHint })}
${textField(edit, { name: 'url', label: settings.url, type: 'url', hint: settings.urlHint })}
</fieldset>
<fieldset><legend>${settings.daysAndZone}</legend>
<div class="pair">${textField(edit, { name: 'first_day', label: settings.firstDay, type: 'date' })}${textField(edit, { name: 'last_day', label: settings.lastDay, type: 'date' })}</div>
<p class="hint">${settings.daysHint}</p>
<div data-own-zone>${selectField(edit, { name: 'time_zone', label: settings.zone, hint: settings.zoneHint, options: zoneOptions() })}</div>
</fieldset>
<fieldset data-hue="${defaultHue}"><legend>${settings.colour}</legend>
<input class="hues" type="range" min="0" max="359" aria-label="${settings.hueChoice}" hidden>
${textField(edit, { name: 'hue', label: settings.hue, type: 'number', hint: settings.hueHint })}
<p class="actions needs-script"><button type="button" data-own-hue>${settings.ownHue}</button></p>
<div class="sample" aria-hidden="true"><span class="button primary">${settings.sample.button}</span> <span class="button">${settings.sample.other}</span> <span class="link">${settings.sample.link}</span> <span class="tag">${settings.sample.tag}</span><p class="notice">${settings.sample.notice}</p></div>
</fieldset>
<p class="actions"><button class="primary">${consoleText.save}</button></p>
</form>
<section class="card" id="logo">
<h2>${settings.logo}</h2>
${pictureForm({
  action: `${base}/console/settings/logo`,
  revision,
  attempt: attempt?.path.endsWith('/logo') ? attempt : undefined,
  label: settings.chooseLogo,
  hint: settings.logoHint,
  shown: logo === undefined ? undefined : html`<img src="${logo}" alt="${settings.logo}">`,
})}</section>
`,
    }
  },
}

function pageAfter(data: unknown): string {
  return `/console/settings${doneQuery((data as Data<'updateConference'>).conference.revision)}`
}

const valuesOf = ({ title, acronym, url, first_day, last_day, time_zone, hue }: Conference) => ({
  title,
  acronym,
  url,
  first_day: first_day ?? '',
  last_day: last_day ?? '',
  time_zone,
  hue: hue === null ? '' : String(hue),
})
