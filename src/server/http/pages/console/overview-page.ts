import type { Overview } from '../../../../contract/overview.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { commandName } from '../../../core/command-name.ts'
import { dateAt } from '../attendee/program-page.ts'
import { type Html, html } from '../html.ts'
import { type Check, type CheckState, checksOf } from './checks.ts'
import type { ConsolePage, ConsoleRequest } from './console.ts'

const { overview: words } = consoleText

/** Where organizers see what is left to do: a list that finds its own state. */
export const overviewPage: ConsolePage = {
  path: '/console',
  operation: 'readOverview',
  tab: 'overview',
  view: words.title,
  async render(request) {
    const { overview } = await request.read('readOverview', {})
    const checks = checksOf(overview)
    const isLeft = ({ state }: Check) => state !== 'done' && state !== 'unneeded'
    const left = checks.filter(isLeft)
    const rest = checks.filter((check) => !isLeft(check))
    const actions = nextActions(overview, request)
    const buttons = actions.length > 0 && html`<p class="actions">\n${actions}</p>\n`
    return {
      title: words.title,
      heading: html`<div class="head"><h1>${words.title}</h1>\n${!isEmpty(overview) && buttons}</div>`,
      content: html`${isEmpty(overview) ? html`${welcome()}${buttons}` : numbersOf(overview)}<h2>${words.toDo}</h2>
${left.length > 0 ? listOf(left, request) : html`<p>${words.nothingToDo}</p>`}
<details${left.length === 0 && html` open`}>
<summary>${words.doneCount(rest.length)}</summary>
${listOf(rest, request)}
</details>
${request.mayUse('inviteOrganizer') && others}`,
    }
  },
}

const others = html`<h2>${words.others}</h2>
<p>${words.othersHint}</p>
<p><code>${commandName} organizer invite mo@summit.example --role editor</code></p>
`

const isEmpty = ({ program }: Overview): boolean => program.events + program.published === 0

const welcome = (): Html => html`<section class="card welcome"><h2>${words.welcome.title}</h2>
<ol>${words.welcome.steps.map((step) => html`<li>${step}</li>\n`)}</ol></section>
`

/** What is next, in one button, with what else may be. */
function nextActions(overview: Overview, { base, mayUse, now }: ConsoleRequest): Html[] {
  const { program } = overview
  const { next } = words
  const link = (path: string, label: string, isPrimary: boolean) =>
    html`<a class="button${isPrimary && ' primary'}" href="${base}${path}">${label}</a>\n`
  if (isEmpty(overview))
    return [
      ...(mayUse('planImport') ? [link('/console/import', next.import, true)] : []),
      ...(mayUse('createEvent') ? [link('/console/sessions/new', next.create, false)] : []),
    ]
  const { new: added, changed, removed } = program
  const mayPublish = added + changed + removed > 0 && mayUse('publish')
  const publish = changed + removed === 0 ? next.publishSessions(added) : next.publishChanges(added + changed + removed)
  const attendeesView = isOn(overview.conference, now) ? next.onNow : next.attendeesView
  return [
    ...(mayPublish ? [link('/console/publish', publish, true)] : []),
    ...(program.published > 0 || !mayPublish ? [link('/', attendeesView, !mayPublish)] : []),
  ]
}

const isOn = ({ first_day, last_day, time_zone }: Overview['conference'], now: number): boolean => {
  const today = dateAt(now, time_zone)
  return first_day !== null && last_day !== null && first_day <= today && today <= last_day
}

function numbersOf({ program, participants }: Overview): Html {
  const { numbers } = words
  const number = (name: string, value: number, hint?: string) =>
    html`<div><dt>${name}</dt>
<dd>${value.toLocaleString('en')}</dd>${hint !== undefined && html`\n<dd class="hint">${hint}</dd>`}</div>\n`
  return html`<dl class="numbers">
${number(numbers.sessions, program.events, numbers.published(program.published, program.new))}${number(numbers.speakers, program.speakers)}${number(numbers.rooms, program.rooms)}${number(numbers.participants, participants)}</dl>
`
}

const tones: Readonly<Record<CheckState, string>> = {
  todo: '',
  warning: ' warn',
  unknown: ' warn',
  done: ' ok',
  unneeded: ' ok',
}

const listOf = (checks: readonly Check[], { base, mayUse }: ConsoleRequest): Html => html`<ul class="checks">
${checks.map(
  ({ state, sentence, mend }) => html`<li><span class="tag${tones[state]}">${words.states[state]}</span>
<p>${sentence}</p>
${mend && mayUse(mend.operation) && html`<a href="${base}${mend.path}">${mend.label}</a>\n`}</li>\n`,
)}</ul>`
