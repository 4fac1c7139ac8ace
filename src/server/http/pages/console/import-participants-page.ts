import type { Data } from '../../../../contract/index.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { type Fields, focused, formNotice } from '../form.ts'
import { type Html, html } from '../html.ts'
import type { Attempt, ConsolePage, ConsoleRequest } from './console.ts'
import { openEdit } from './edit.ts'
import { checkField, hiddenFields, textField } from './fields.ts'
import {
  choiceIn,
  countChosen,
  countsLine,
  fileField,
  fileNotice,
  foldedList,
  keptPlan,
  planGroups,
  planIn,
  progress,
  readPlanForm,
  remarkItem,
  sameFile,
  sentByScript,
  unusedItem,
} from './import-parts.ts'
import { unchangedNotice } from './notices.ts'
import { pastImports } from './revisions.ts'

const { import: shared, importParticipants: words } = consoleText

type Plan = Data<'planParticipantsImport'>['plan']

const options = ['same_person', 'encoding'] as const

/** How many of a group are shown: a list of ten thousand is looked at in its spreadsheet. */
const shownRows = 200

const notice = fileNotice(words.changed)

/** Where the desk imports participants. Taking them back is left to the operator: it removes people for good. */
export const importParticipantsPage: ConsolePage = {
  path: '/console/import/participants',
  operation: 'readOverview',
  write: 'planParticipantsImport',
  tab: 'import',
  view: words.view,
  forms: [
    {
      path: '/console/import/participants',
      operation: 'planParticipantsImport',
      readForm: readPlanForm(options),
      notice,
    },
    {
      path: '/console/import/participants/apply',
      operation: 'applyParticipantsImport',
      readForm: readPlanForm(options),
      notice,
      next: (data, _, sent) => {
        const { revision_id } = data as Data<'applyParticipantsImport'>
        const query = revision_id === null ? 'revision=' : `revision=${revision_id}&imported=${countChosen(sent)}`
        return `/console/import/participants?${query}`
      },
    },
  ],
  async render(request) {
    const { attempt, base } = request
    const plan = planIn<Plan>(attempt)
    const form = html`<form class="card" method="post" action="${base}/console/import/participants"${sentByScript}>
${fileField(words.file, words.fileHint, attempt?.failure)}
${optionFields(attempt)}
<p class="actions"><button class="primary">${shared.plan}</button></p>
${progress}</form>
`
    const next = plan ? participantsPlan(plan, base, attempt?.sent ?? {}) : keptPlan(request)
    return {
      title: words.title,
      content: html`${imported(request)}${
        next
          ? html`${next}
<details class="group"><summary><h2>${shared.another}</h2></summary>
${form}</details>
`
          : html`<p>${words.lead}</p>\n${form}${await pastImports(request)}`
      }`,
    }
  },
}

function optionFields(attempt: Attempt | undefined): Html {
  const values = Object.fromEntries(options.map((name) => [name, String(attempt?.sent[name] ?? '')]))
  const edit = openEdit(values, undefined, attempt)
  const isUsed = options.some((name) => values[name] !== '')
  return html`<details class="group"${isUsed && html` open`}><summary>${shared.options}</summary>
${checkField(edit, { name: 'same_person', label: words.samePerson, hint: words.samePersonHint })}
${textField(edit, { name: 'encoding', label: shared.encoding, hint: shared.encodingHint })}</details>
`
}

/** What a file would change, as a form that changes it. */
function participantsPlan(plan: Plan, base: string, sent: Fields): Html {
  const { counts, participants, erased_count, remarks, unused, hash } = plan
  const groups = (['changed', 'new'] as const).flatMap((change) => {
    const rows = participants.filter((participant) => participant.change === change)
    if (rows.length === 0) return []
    return [
      {
        title: words.groups[change],
        rows: rows.map(({ row, participant_id, name, differences, line }) => ({
          ...{ row, title: name, line, marks: [], differences },
          identity: participant_id === null ? `${line}.${name}` : `p${participant_id}`,
        })),
      },
    ]
  })
  const changed = counts.new + counts.changed
  // What is not shown cannot be chosen.
  const isChoice = changed > 0 && groups.every(({ rows }) => rows.length <= shownRows)
  const concerns = [
    ...(erased_count > 0 ? [html`<p class="notice warn">${words.erased(erased_count)}</p>\n`] : []),
    foldedList(shared.remarks(remarks.length), remarks, remarkItem),
  ].filter((part) => part !== undefined)
  return html`<form class="plan" method="post" action="${base}/console/import/participants/apply"${sentByScript}>
<h2${focused}>${words.planTitle}</h2>
${countsLine(counts, words.changes)}${concerns.length > 0 && html`<section><h2>${shared.look}</h2>\n${concerns}</section>\n`}${changed > 0 && html`<h2>${words.people}</h2>\n<p class="quiet">${isChoice ? shared.choose : shared.tooMany(shownRows)}</p>\n`}${planGroups(groups, choiceIn(sent), isChoice, shownRows)}
${foldedList(shared.unused, unused, unusedItem, unused.length <= 5)}
${
  changed > 0
    ? html`${hiddenFields(sent, options)}<input type="hidden" name="hash" value="${hash}">
<input type="hidden" name="changes" value="${changed}">
${isChoice && html`<input type="hidden" name="boxes" value="${changed}">\n`}<div class="card">${sameFile}<p class="actions"><button class="primary">${shared.apply}</button></p>
${progress}</div>`
    : html`<p class="notice ok">${words.nothing}</p>`
}
</form>
`
}

/** What was done, and how an operator takes it back. */
function imported({ query, attempt }: ConsoleRequest): Html | undefined {
  const revision = query.get('revision')
  if (attempt || revision === null) return undefined
  if (!/^\d+$/.test(revision)) return unchangedNotice
  return formNotice(
    words.imported(Number(query.get('imported')) || 0),
    'ok',
    html`<p>${words.undo} <code>summit import undo ${revision} --apply</code></p>\n`,
  )
}
