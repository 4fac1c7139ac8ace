import { consoleText } from '../../../../web/text/en-console.ts'
import type { Failure } from '../../../core/failure.ts'
import type { ReadForm } from '../../request/input.ts'
import { datedClock } from '../dates.ts'
import { type Fields, formNotice } from '../form.ts'
import { type Html, html } from '../html.ts'
import type { Attempt, ConsoleRequest } from './console.ts'

// What the pages of imports share: the file to choose, what is wrong with it, and the rows of its plan.

const { import: words } = consoleText

/** The attributes of a form that a script sends, so that a file is chosen once and its progress shown. */
export const sentByScript: Html = html` enctype="multipart/form-data" data-import`

/** Where the script shows how far a file is. */
export const progress: Html = html`<p class="progress" data-progress data-sending="${words.sending}" data-reading="${words.reading}" data-failed="${words.notSent}"><progress max="1" hidden aria-label="${words.sending}"></progress><span role="status"></span></p>
`

export function fileField(label: string, hint: string, failure: Failure | undefined): Html {
  const error = failure?.fields.some(({ field, reason }) => field === 'file' && reason === 'REQUIRED')
  return html`<div class="field drop" data-drop><label for="field-file">${label}</label>
<input type="file" id="field-file" name="file" required${error && html` aria-invalid="true"`} aria-describedby="${error && 'field-file-error '}field-file-hint">
${error && html`<p class="error" id="field-file-error">${words.noFile}</p>\n`}<p class="hint" id="field-file-hint">${hint}</p></div>
`
}

/** Browsers cannot fill in a file again; the script does. */
export const sameFile: Html = html`<div class="field" data-same-file><label for="field-same-file">${words.again}</label>
<input type="file" id="field-same-file" name="file" required aria-describedby="field-same-file-hint">
<p class="hint" id="field-same-file-hint">${words.againHint}</p></div>
`

/**
 * Says what is wrong with a file: each place of it, and what to do.
 * @param changed what a page says of a plan that has become stale
 */
export const fileNotice =
  (changed: string) =>
  (failure: Failure, sent: Fields): Html => {
    if (failure.reason === 'UNAVAILABLE') return formNotice(words.busy(failure.retryAfterSeconds ?? 1), 'warn')
    if (failure.reason !== 'EVENT_CHANGED') return faultsNotice(failure)
    const said = !failure.current ? words.changedJustNow : sent.whole === 'part' ? words.otherOption : changed
    return formNotice(said, 'warn')
  }

function faultsNotice({ fields, message }: Failure): Html {
  const faults = fields.map(({ reason, message }) =>
    reason === 'REQUIRED' ? words.noFile : reason === 'NOT_CONFIRMED' ? words.notConfirmed : toSentence(message),
  )
  if (faults.length === 0) return formNotice(message, 'bad')
  return formNotice(
    html`<strong>${words.notReadable}</strong>`,
    'bad',
    html`<ul>${faults.map((fault) => html`<li dir="auto">${fault}</li>\n`)}</ul>
<p>${words.mend}</p>
`,
  )
}

const toSentence = (message: string): string =>
  forPage(message)
    .replace(/^line/, 'Line')
    .replace(/\b\d{7,} bytes/, (size) => words.megabytes(Math.floor(Number.parseInt(size, 10) / 2 ** 20)))

/** The plan that a form has made, or the present one in place of a plan that has become stale. */
export const planIn = <Plan>(attempt: Attempt | undefined): Plan | undefined =>
  ((attempt?.failure?.current ?? attempt?.data) as { plan?: Plan } | undefined)?.plan

/** What was chosen of a plan that could not be applied because the server was busy, to be sent again. */
export function keptPlan({ attempt, base }: ConsoleRequest): Html | undefined {
  if (attempt?.failure?.reason !== 'UNAVAILABLE' || attempt.sent.hash === undefined) return undefined
  const fields = Object.entries(attempt.sent).flatMap(([name, values]) =>
    [values].flat().map((value) => html`<input type="hidden" name="${name}" value="${String(value)}">\n`),
  )
  return html`<form class="card" method="post" action="${base}${attempt.path}"${sentByScript}>
${fields}<p>${words.kept}</p>
${sameFile}<p class="actions"><button class="primary">${words.apply}</button></p>
${progress}</form>
`
}

/** Messages of imports advise options of the command, which have other names on the page. A value in capitals is none. */
export const forPage = (message: string): string =>
  message.replace(
    /(add )?--([a-z]+(?:-[a-z]+)*)( [A-Z]{4}[A-Z-]*| [a-z]+-[\w-]+| macintosh)?/g,
    (written, add: string | undefined, option: string, value = '') => {
      if (!Object.hasOwn(words.commandOptions, option)) return written
      const name = words.commandOptions[option]
      return `${add ? `${words.advise} ` : ''}${name}${/^ [a-z]/.test(value) ? `:${value}` : ''}`
    },
  )

/** A row of a plan that can be chosen. */
export interface PlanRow {
  row: number
  /** What it is also in a later plan of the same file, in which rows may have other numbers. */
  identity: string
  title: string
  place?: string
  differences: readonly string[]
  line: number | null
  marks: readonly string[]
  /** Whether it is left out unless somebody ticks it. */
  isLeftOut?: boolean
}

/** The rows of an effect. */
export interface PlanGroup {
  title: string
  lead?: string
  rows: readonly PlanRow[]
}

/** Which boxes are ticked: all that are not left out, unless somebody has chosen others. */
export interface Choice {
  isTicked(row: PlanRow): boolean
}

/** The choice of a form that was sent before. */
export function choiceIn(sent: Fields | undefined): Choice {
  const known = new Set(boxesIn(sent ?? {}).map(({ identity }) => identity))
  const areAll = tickedIn(sent ?? {}) === undefined
  return { isTicked: ({ identity, isLeftOut }) => known.has(identity) || (areAll && !isLeftOut) }
}

interface Box {
  row: string
  identity: string
}

/** Those that are ticked. */
const boxesIn = ({ only }: Fields): Box[] =>
  [only ?? []].flat().map((value) => {
    const [, row = '', identity = ''] = /^(\d+)-(.*)$/.exec(String(value)) ?? []
    return { row, identity }
  })

/** @returns undefined for all */
function tickedIn(sent: Fields): Box[] | undefined {
  const ticked = boxesIn(sent)
  return sent.boxes === undefined || ticked.length === Number(sent.boxes) ? undefined : ticked
}

/** How many rows a form has chosen. */
export const countChosen = (sent: Fields): number => tickedIn(sent)?.length ?? (Number(sent.changes) || 0)

/**
 * Reads a form of a plan. All rows are left out, as more can be applied together than named.
 * @param names the options of the file
 */
export const readPlanForm =
  (names: readonly string[]): ReadForm =>
  (sent) => {
    const options = Object.fromEntries(names.flatMap((name) => (sent[name] ? [[name, sent[name]]] : [])))
    const { whole, hash } = sent
    if (hash === undefined) return options
    const rows =
      tickedIn(sent)?.map(({ row }) => row) ?? (whole === 'chosen' ? boxesIn(sent).map(({ row }) => row) : undefined)
    return {
      ...options,
      hash,
      ...(whole === 'whole' && { replace: 'true' }),
      ...(whole === 'part' ? { partial: 'true' } : rows && { only: rows }),
    }
  }

/** Groups with more rows are folded. */
const maxOpen = 20

/** @param hasBoxes whether rows can be chosen @param shown how many of a group are shown at most */
export const planGroups = (groups: readonly PlanGroup[], choice: Choice, hasBoxes: boolean, shown = Infinity): Html =>
  html`${groups.map((group) => planGroup(group, choice, hasBoxes, shown))}`

function planGroup({ title, lead, rows }: PlanGroup, choice: Choice, hasBoxes: boolean, shown: number): Html {
  const items = rows.slice(0, shown).map((row) => html`<li>${planRow(row, choice, hasBoxes)}</li>\n`)
  const rest = rows.length - items.length
  return html`<details class="group"${rows.length <= maxOpen && html` open`}><summary><h3>${title} <span class="quiet">${rows.length.toLocaleString('en')}</span></h3></summary>
${lead !== undefined && html`<p>${lead}</p>\n`}${hasBoxes && rows.length > 1 && html`<p class="actions needs-script"><button type="button" data-tick="true">${words.tickAll}</button> <button type="button" data-tick="">${words.tickNone}</button></p>\n`}<ul class="planned">${items}</ul>
${rest > 0 && html`<p class="quiet">${consoleText.more(rest)}</p>\n`}</details>
`
}

function planRow(planned: PlanRow, choice: Choice, hasBoxes: boolean): Html {
  const { row, identity, title, place, differences, line, marks } = planned
  const about = html`<span><strong dir="auto">${title}</strong>${marks.map((mark) => html` <span class="tag warn">${mark}</span>`)}
${differences.map(differenceLine)}<span class="quiet">${place !== undefined && html`<span dir="auto">${place}</span>`}${place !== undefined && line !== null && ' · '}${line !== null && words.line(line)}</span></span>`
  if (!hasBoxes) return html`<div class="option">${about}</div>`
  return html`<label class="option"><input type="checkbox" name="only" value="${row}-${identity}"${choice.isTicked(planned) && html` checked`}>${about}</label>`
}

/** What gets another value, from → to. Each value is isolated, or two of a script from right to left would change places. */
export function differenceLine(difference: string): Html {
  const [, name, from, to] = /^([^“”]*?) (?:none|“(.*)”) → (?:none|“(.*)”)$/.exec(difference) ?? []
  if (name === undefined) return html`<span class="difference" dir="auto">${difference}</span>\n`
  const [before, after] = shortened(from ?? '', to ?? '').map(shownValue)
  return html`<span class="difference">${name} ${before} → ${after}</span>\n`
}

function shownValue(value: string): Html | string {
  if (value === '') return words.noValue
  return /^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(value) ? datedClock(value) : html`“<bdi>${value}</bdi>”`
}

/** The most characters of a value that are shown. */
const maxShown = 100

/** Two values, of which long ones begin shortly before they differ. */
function shortened(from: string, to: string): [string, string] {
  const [a, b] = [[...from], [...to]]
  const same = a.findIndex((character, index) => character !== b[index])
  const start = Math.max(a.length, b.length) > maxShown ? Math.max(0, (same < 0 ? a.length : same) - 20) : 0
  const shown = (value: string[]) => {
    const part = value.slice(start, start + maxShown).join('')
    return `${start > 0 && part !== '' ? '…' : ''}${part}${value.length > start + maxShown ? '…' : ''}`
  }
  return [shown(a), shown(b)]
}

/** A part of a plan that is folded if it is long. */
export const foldedList = <Item>(
  title: string,
  items: readonly Item[],
  write: (item: Item) => Html,
  isOpen = items.length <= maxOpen,
): Html | undefined =>
  items.length === 0
    ? undefined
    : html`<details class="group"${isOpen && html` open`}><summary><h3>${title}</h3></summary>
<ul class="planned">${items.slice(0, maxItems).map((item) => html`<li>${write(item)}</li>\n`)}</ul>
${items.length > maxItems && html`<p class="quiet">${consoleText.more(items.length - maxItems)}</p>\n`}</details>
`

/** More remarks than these are about the same thing. */
const maxItems = 200

interface Remark {
  line: number
  kind: keyof typeof words.remarkKinds
  message: string
}

export const remarkItem = ({ line, kind, message }: Remark): Html =>
  html`<span class="tag${kind === 'skipped' && ' warn'}">${words.remarkKinds[kind]}</span> ${words.line(line)}: <span dir="auto">${forPage(message)}</span>`

interface Unused {
  name: string
  count: number
  reason: string | null
}

export const unusedItem = ({ name, count, reason }: Unused): Html =>
  html`<span dir="auto">${name}</span> <span class="quiet">${words.unusedCount(count)}${reason !== null && html` · <span dir="auto">${forPage(reason)}</span>`}</span>`

/** How many of each effect, in a line. */
export const countsLine = (counts: Readonly<Record<string, number>>, labels: Readonly<Record<string, string>>): Html =>
  html`<p class="tally">${Object.entries(counts).flatMap(([change, n]) => (n === 0 ? [] : [html`<span><b>${n.toLocaleString('en')}</b> ${labels[change]}</span>\n`]))}</p>
`
