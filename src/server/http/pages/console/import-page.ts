import type { Data } from '../../../../contract/index.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { commandName } from '../../../core/command-name.ts'
import type { Fields } from '../form.ts'
import { type Html, html } from '../html.ts'
import type { Attempt, ConsolePage, ConsoleRequest } from './console.ts'
import { openEdit } from './edit.ts'
import { checkField, selectField, textField, zoneOptions } from './fields.ts'
import {
  countChosen,
  fileField,
  fileNotice,
  keptPlan,
  planIn,
  progress,
  readPlanForm,
  sentByScript,
} from './import-parts.ts'
import { programPlan } from './import-plan.ts'
import { doneQuery } from './notices.ts'
import { pastImports } from './revisions.ts'

const { import: words } = consoleText

/** The members of the operations beside the file, and those with a value unless somebody says otherwise. */
const options = ['source', 'time_zone', 'first_day', 'dates', 'encoding', 'only_days', 'partial', 'draft'] as const

const notice = fileNotice(words.changed)

/** Where organizers import a program: a file is planned, and sent again to be imported, as nothing of it is stored. */
export const importPage: ConsolePage = {
  path: '/console/import',
  operation: 'getDraft',
  tab: 'import',
  view: words.view,
  forms: [
    { path: '/console/import', operation: 'planImport', readForm: readPlanForm(options), notice },
    {
      path: '/console/import/apply',
      operation: 'applyImport',
      readForm: readPlanForm(options),
      notice,
      next: (data, _, sent) => {
        const { revision_id } = data as Data<'applyImport'>
        const done = `/console/import${doneQuery(revision_id)}`
        if (revision_id === null) return done
        return `${done}&imported=${countChosen(sent)}${sent.draft === 'true' ? '&draft=true' : ''}`
      },
    },
  ],
  async render(request) {
    const { attempt, base, mayUse } = request
    const sent = optionsOf(attempt)
    const plan = planIn<Data<'planImport'>['plan']>(attempt)
    const form = html`<form class="card" method="post" action="${base}/console/import"${sentByScript}>
${fileField(words.file, words.fileHint, attempt?.failure)}
${visibility(sent)}${optionFields(sent, attempt)}
<p class="actions"><button class="primary">${words.plan}</button></p>
${progress}</form>
`
    const next = plan ? programPlan(plan, { base, sent, names: options }) : keptPlan(request)
    return {
      title: words.title,
      content: html`${imported(request)}${
        next
          ? html`${next}
<details class="group"><summary><h2>${words.another}</h2></summary>
${form}</details>
`
          : html`<p>${words.lead}</p>\n${form}${!mayUse('planParticipantsImport') && html`<p class="hint">${words.participants} <code>${commandName} import participants</code></p>\n`}${await pastImports(request)}`
      }`,
    }
  },
}

/** Of the form that was sent, if one was, and could be read. */
function optionsOf(attempt: Attempt | undefined): Fields {
  const sent = attempt?.sent ?? {}
  return sent.whole === 'part' ? { ...sent, partial: 'true' } : sent
}

const visibility = ({ draft }: Fields): Html =>
  html`<fieldset class="field"><legend>${words.visibility}</legend>
<label class="option"><input type="radio" name="draft" value="true"${draft !== 'false' && html` checked`}> ${words.draft}</label>
<label class="option"><input type="radio" name="draft" value="false"${draft === 'false' && html` checked`}> ${words.atOnce}</label>
<p class="hint">${words.partsAtOnce}</p></fieldset>
`

function optionFields(sent: Fields, attempt: Attempt | undefined): Html {
  const values = Object.fromEntries(options.map((name) => [name, String(sent[name] ?? '')]))
  const edit = openEdit(values, undefined, attempt)
  const isUsed = options.some((name) => name !== 'draft' && values[name] !== '')
  return html`<details class="group"${isUsed && html` open`}><summary>${words.options}</summary>
${textField(edit, { name: 'source', label: words.source, hint: words.sourceHint })}
${selectField(edit, { name: 'time_zone', label: words.zone, options: [['', words.zoneOfConference], ...zoneOptions()] })}
${textField(edit, { name: 'first_day', label: words.firstDay, hint: words.firstDayHint, type: 'date' })}
${selectField(edit, { name: 'dates', label: words.dates, options: words.dateOrders })}
${textField(edit, { name: 'encoding', label: words.encoding, hint: words.encodingHint })}
${checkField(edit, { name: 'only_days', label: words.onlyDays })}
${checkField(edit, { name: 'partial', label: words.partial })}</details>
`
}

/** What to do after an import. */
function imported({ query, base, attempt }: ConsoleRequest): Html | undefined {
  const count = Number(query.get('imported'))
  if (attempt || !Number.isSafeInteger(count) || count <= 0) return undefined
  const isDraft = query.get('draft') === 'true'
  return html`<div class="card"><p>${words.imported(count, isDraft)}</p>
<p class="actions"><a class="button" href="${base}/console/sessions">${words.toSessions}</a> ${isDraft && html`<a class="button" href="${base}/console/publish">${words.toPublish}</a> `}<a class="button" href="${base}/console/history">${words.toHistory}</a></p></div>
`
}
