import type { Data } from '../../../../contract/index.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { html } from '../html.ts'
import type { ConsolePage } from './console.ts'
import { openEdit, readEdit } from './edit.ts'
import { selectField, textField } from './fields.ts'
import { doneQuery } from './notices.ts'

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
      next: (data) => `/console/settings${doneQuery((data as Data<'updateConference'>).conference.revision)}`,
    },
  ],
  async render({ read, base, attempt }) {
    const { conference } = (await read('getDraft', {})).draft
    const edit = openEdit(valuesOf(conference), conference.revision, attempt)
    const zones = Intl.supportedValuesOf('timeZone').map((zone) => [zone, zone.replaceAll('_', ' ')] as const)
    return {
      title: settings.title,
      isNarrow: true,
      content: html`<form class="card" method="post" action="${base}/console/settings" data-edit>
${edit.hidden}
${textField(edit, { name: 'title', label: settings.name })}
${textField(edit, { name: 'acronym', label: settings.acronym, hint: settings.acronymHint })}
${textField(edit, { name: 'url', label: settings.url, type: 'url' })}
${textField(edit, { name: 'first_day', label: settings.firstDay, type: 'date' })}
${textField(edit, { name: 'last_day', label: settings.lastDay, type: 'date', hint: settings.daysHint })}
${selectField(edit, { name: 'time_zone', label: settings.zone, hint: settings.zoneHint, options: zones })}
${textField(edit, { name: 'hue', label: settings.hue, type: 'number', hint: settings.hueHint })}
<p class="actions"><button class="primary">${consoleText.save}</button></p>
</form>
`,
    }
  },
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
