import { maxListed } from '../../../../contract/imports.ts'
import type { Data } from '../../../../contract/index.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { clockTime, datedClock, dateRange, longDay } from '../dates.ts'
import { type Fields, focused } from '../form.ts'
import { type Html, html } from '../html.ts'
import { hiddenFields } from './fields.ts'
import {
  choiceIn,
  countsLine,
  differenceLine,
  foldedList,
  forPage,
  type PlanGroup,
  type PlanRow,
  planGroups,
  progress,
  remarkItem,
  sameFile,
  sentByScript,
  unusedItem,
} from './import-parts.ts'

const { import: words } = consoleText

type Plan = Data<'planImport'>['plan']
type Session = Plan['sessions'][number]

/** The effects in the order in which somebody should look at them. */
const effects = ['cancelled', 'moved', 'retitled', 'changed', 'new'] as const

interface PlanOptions {
  base: string
  /** The form that was sent. */
  sent: Fields
  /** The fields with the options of the file. */
  names: readonly string[]
}

/** What a file would change, as a form that changes it. */
export function programPlan(plan: Plan, { base, sent, names }: PlanOptions): Html {
  const { counts, sessions, parts, unused, hash } = plan
  const changed = sessions.filter(({ change }) => change !== 'unchanged')
  const edited = changed.filter(({ is_edited }) => is_edited)
  const groups = effects.flatMap((effect) => {
    const rows = changed.filter(({ change, is_edited }) => change === effect && !is_edited).map(toRow)
    return rows.length > 0 ? [{ title: words.groups[effect], rows }] : []
  })
  const isChoice = changed.length > 0 && changed.length <= maxListed
  const listed = (some: readonly PlanGroup[]) =>
    planGroups(some, choiceIn(sent), isChoice, isChoice ? Infinity : maxListed)
  const ofEdited = {
    title: words.edited,
    lead: isChoice ? words.editedLead : words.editedTogether,
    rows: edited.map(toEditedRow),
  }
  const hasChanges = changed.length + parts.length > 0
  return html`<form class="plan" method="post" action="${base}/console/import/apply"${sentByScript}>
<h2${focused}>${words.planTitle}</h2>
${countsLine(counts, words.changes)}${facts(plan)}${concerns(plan, isChoice, edited.length > 0 ? [listed([ofEdited])] : [])}
${groups.length > 0 && html`<h2>${words.sessions}</h2>\n<p class="quiet">${isChoice ? words.choose : words.tooMany(maxListed)}</p>\n`}${listed(groups)}
${foldedList(words.parts, parts, partItem, parts.length <= 5)}${!isTable(plan) && foldedList(words.unused, unused, unusedItem, unused.length <= 5)}
${
  hasChanges
    ? html`${hiddenFields(sent, names)}<input type="hidden" name="hash" value="${hash}">
<input type="hidden" name="changes" value="${changed.length}">
${isChoice && html`<input type="hidden" name="boxes" value="${changed.length}">\n`}<div class="card">${sameFile}<p class="actions"><button class="primary">${words.apply}</button></p>
${progress}</div>`
    : html`<p class="notice ok">${words.nothing}</p>`
}
</form>
`
}

const toRow = ({ row, event_id, title, where_and_when, differences, line, ...session }: Session): PlanRow => ({
  row,
  // A new session is the same in a later plan if its line says the same.
  identity: event_id === null ? `${line}.${where_and_when}` : `e${event_id}`,
  title,
  place: readable(where_and_when),
  differences,
  line,
  marks: [...(session.is_reverted ? [words.reverted] : []), ...(session.has_draft ? [words.hasDraft] : [])],
})

/** One that the file would take back, which nobody has chosen yet, even if they have chosen what it was before. */
function toEditedRow(session: Session): PlanRow {
  const row = toRow(session)
  const marks = [words.groups[session.change as (typeof effects)[number]], ...row.marks]
  return { ...row, identity: `edited.${row.identity}`, marks, isLeftOut: true }
}

/** Its date as people read it, at the end of the text. */
const readable = (place: string): string => place.replace(/\d{4}-\d\d-\d\d \d\d:\d\d$/, datedClock)

function facts({ format, days, room_count, without_id, left_alone }: Plan): Html {
  const [first] = days
  const last = days.at(-1)
  return html`<dl class="facts"><dt>${words.format}</dt><dd>${format}</dd>
${first !== undefined && last !== undefined && html`<dt>${words.days}</dt><dd>${words.dayCount(days.length)}, ${dateRange(first, last)}</dd>\n`}<dt>${words.rooms}</dt><dd>${room_count}</dd></dl>
${without_id > 0 && html`<p class="quiet">${words.withoutId(without_id)}</p>\n`}${left_alone > 0 && html`<p class="quiet">${words.leftAlone(left_alone)}</p>\n`}`
}

/** What may be wrong, the worst first. @param edited the sessions that organizers have changed */
function concerns(plan: Plan, isChoice: boolean, edited: readonly Html[]): Html | undefined {
  const { same_program: same, date_reading, clashes, remarks, unused, with_shared_id, conference_left_alone } = plan
  const found = [
    ...edited,
    ...(plan.losses.needs_replace ? [losses(plan.losses, isChoice)] : []),
    ...(same ? [html`<p class="notice warn">${words.sameProgram(same.count, same.all, same.source)}</p>\n`] : []),
    ...(date_reading === null ? [] : [html`<p class="notice warn">${forPage(date_reading)}</p>\n`]),
    ...(isTable(plan) && unused.length > 0 ? [unusedColumns(unused)] : []),
    foldedList(words.clashes(clashes.length), clashes, clashItem),
    foldedList(words.remarks(remarks.length), remarks, remarkItem),
    foldedList(
      words.sharedIds(with_shared_id.length),
      with_shared_id,
      ({ title }) => html`<span dir="auto">${title}</span>`,
      false,
    ),
    foldedList(words.conferenceLeftAlone, conference_left_alone, differenceLine, false),
  ].filter((part) => part !== undefined)
  return found.length === 0 ? undefined : html`<section><h2>${words.look}</h2>\n${found}</section>`
}

const isTable = ({ format }: Plan): boolean => format === 'CSV' || format === 'Excel workbook'

/** Columns are named by people, so one that is not used is often meant for something. */
const unusedColumns = (unused: Plan['unused']): Html =>
  html`${foldedList(words.unusedColumns(unused.length), unused, unusedItem)}<p class="hint">${words.unusedHint}</p>
`

/** Nothing is chosen, so that nobody cancels half a program by pressing on. */
function losses({ is_unrelated, stored, missing, replaced, days_left_out }: Plan['losses'], isChoice: boolean): Html {
  const reasons = [
    ...(is_unrelated ? [words.unrelated(stored)] : missing > 0 ? [words.missing(missing, stored)] : []),
    ...(replaced > 0 ? [words.replaced(replaced)] : []),
    ...days_left_out.map(({ day, sessions }) => words.dayLeftOut(longDay(day), sessions)),
  ]
  const choices = [
    ['whole', words.whole],
    ['part', words.part],
    ...(isChoice ? [['chosen', words.chosen] as const] : []),
  ] as const
  return html`<fieldset class="notice bad"><legend class="visually-hidden">${words.losses}</legend>
<p><strong aria-hidden="true">${words.losses}</strong></p>
<ul>${reasons.map((reason) => html`<li>${reason}</li>\n`)}</ul>
${choices.map(([value, label]) => html`<label class="option"><input type="radio" name="whole" value="${value}" required> ${label}</label>\n`)}</fieldset>
`
}

const clashItem = ({ kind, name, sessions }: Plan['clashes'][number]): Html =>
  html`${words.clash[kind]} <strong dir="auto">${name}</strong>: ${sessions.map(({ title, starts_at, ends_at }) => html`<span class="difference"><span dir="auto">${title}</span> <span class="quiet">${datedClock(starts_at)}–${clockTime(ends_at)}</span></span>\n`)}`

const partItem = ({ kind, change, name, differences }: Plan['parts'][number]): Html =>
  html`<strong dir="auto">${name || words.partKinds[kind]}</strong> <span class="quiet">${name !== '' && `${words.partKinds[kind]}, `}${words.partChanges[change]}</span>${differences.map(differenceLine)}`
