import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { DraftEvent } from '../../../../contract/editing.ts'
import { httpStatusOf } from '../../../../contract/failures.ts'
import type { Data, JsonWriteName } from '../../../../contract/index.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { Failure } from '../../../core/failure.ts'
import type { InputWithIds } from '../../../core/ids.ts'
import type { PersonalReadName } from '../../api.ts'
import { type Fields, formNotice, mountForm } from '../form.ts'
import { type Html, html } from '../html.ts'
import { localPath, type Navigation, type Page } from '../layout.ts'
import { failWith, type Pages, pathOf, redirect, reserve, sendPage, sendPageFailure } from '../page.ts'
import { typedIn } from './edit.ts'
import { failureNotice, idOf, revisionNotice } from './notices.ts'

/** The parts of the console, in the order of its navigation. */
export type ConsoleTab = keyof typeof consoleText.tabs

/** A form that was sent, of which the page shows what came of it. */
export interface Attempt {
  /** The route of the form. */
  path: string
  sent: Fields
  failure?: Failure
  /** The data of the operation, for a form that shows its result. */
  data?: unknown
}

/** What a page is made of. */
export interface ConsoleRequest {
  /**
   * Reads an operation for whoever asks. Requests may share what it returns, so pages do not change it.
   * @throws Failure FORBIDDEN; the failures of the operation
   */
  read<N extends PersonalReadName>(name: N, input: InputWithIds<N>): Promise<Data<N>>
  /** Whether whoever asks may use an operation. */
  mayUse(name: PersonalReadName | JsonWriteName): boolean
  /** The path of the base URL, with which the paths of all links begin; without a trailing slash. */
  base: string
  /** The base of absolute links, without a trailing slash. */
  baseUrl: string
  /** Whether anybody may read the program without a key. */
  isPublic: boolean
  /** A local path for an absolute URL of this server; undefined for one elsewhere, which pages never load. */
  localPath(url: string | null): string | undefined
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** In milliseconds since 1970. */
  now: number
  attempt?: Attempt
}

/** A form of a page. After it the page of `next` says what has changed, and offers to undo it. */
export interface ConsoleForm {
  path: string
  operation: JsonWriteName
  /** Converts the fields to the members of the operation; by default, they are the same. */
  readForm?: (sent: Fields, request: ConsoleRequest) => Fields | Promise<Fields>
  /** Says a failure in the words of the form, and with the names of its fields. */
  explain?: (failure: Failure, sent: Fields) => Failure
  /** Where to go on, below the base. Absent for a form whose page shows its result. */
  next?: (data: unknown, params: Readonly<Record<string, string>>, sent: Fields) => string
  /** What the page says of a failure, above all else; by default, a sentence of what was wrong with a form. */
  notice?: (failure: Failure, sent: Fields) => Html
}

/** A page of the console, with its forms. */
export interface ConsolePage {
  path: string
  /** Whoever may use this operation may see the page. */
  operation: PersonalReadName
  /** And this one, for a page that only its forms need a role for. */
  write?: JsonWriteName
  tab: ConsoleTab
  /** Its name in the list of pages of its tab. Only pages without parameters have one. */
  view?: string
  forms?: readonly ConsoleForm[]
  render(request: ConsoleRequest): Promise<Page>
}

/** Mounts the pages of the console: for organizers, each for those who may use its operation, and never cached. */
export function mountConsole(
  app: FastifyInstance,
  pages: Pages,
  consolePages: readonly ConsolePage[],
  clock: () => number,
): void {
  const { runner } = pages
  const send = async (page: ConsolePage, reply: FastifyReply, attempt?: Attempt): Promise<FastifyReply> => {
    const { request } = reply
    const asked = requestOf(pages, request, clock(), attempt)
    if (!maySee(page, asked)) throw new Failure('FORBIDDEN')
    // Pages that read of the draft anyway say how much of it is not published.
    let unpublished = 0
    asked.read = async (name, input) => {
      const data = await pages.runner.read(name, request, input)
      if (name === 'getDraft') unpublished = (data as Data<'getDraft'>).draft.events.filter(isUnpublished).length
      if (name === 'readOverview') unpublished = unpublishedIn(data as Data<'readOverview'>)
      return data
    }
    const { content, ...rest } = await page.render(asked)
    const { failure, sent = {} } = attempt ?? {}
    const { notice = failureNotice } = page.forms?.find(({ path }) => path === attempt?.path) ?? {}
    return sendPage(reply, pages, {
      ...rest,
      content: html`${viewsOf(page, asked, consolePages)}${failure && notice(failure, sent)}${await revisionNotice(asked, request)}${content}`,
      script: 'console.js',
      navigation: navigationOf(page, asked, consolePages, unpublished),
    })
  }
  for (const page of consolePages) {
    app.get(page.path, {
      onRequest: runner.authorize(page.operation),
      errorHandler: failWith((failure, reply) => sendPageFailure(reply, pages, failure)),
      handler: (_request, reply) => send(page, reply),
    })
    for (const { path, operation, readForm, explain = (failure: Failure) => failure, next } of page.forms ?? []) {
      // Whoever signs in again after a form comes back to its path.
      if (!(path + page.path).includes(':') && consolePages.every((other) => other.path !== path))
        app.get(path, (_request, reply) => redirect(reply, pages.base + page.path))
      mountForm(app, pages, {
        path,
        operation,
        ...(readForm && { readForm: (sent, request) => readForm(sent, requestOf(pages, request, clock())) }),
        ...(next
          ? { next: (request, data, sent) => next(data, request.params as Record<string, string>, sent) }
          : { show: (data, sent, reply) => send(page, reply, { path, sent, data }) }),
        onFailure: (failure, reply, sent) => {
          if (isSignedOut(failure)) return sendKeptForm(reply, pages)
          const typed = typedIn(sent)
          if (httpStatusOf(failure.reason) === 404 && typed.length > 0) return sendTyped(reply, pages, typed)
          return isMendable(failure) && isIdentified(reply.request)
            ? send(page, reply, { path, sent, failure: explain(failure, sent) })
            : sendPageFailure(reply, pages, failure)
        },
      })
    }
  }
}

const isSignedOut = ({ reason }: Failure): boolean => reason === 'UNAUTHENTICATED' || reason === 'CREDENTIAL_EXPIRED'

/** The texts of a form; none of one with files, which are not taken from people who have not signed in. */
async function readKept(request: FastifyRequest, { runner }: Pages): Promise<[name: string, value: string][]> {
  try {
    const fields = Object.entries(await runner.readFields(request))
    return fields.flatMap(([name, value]) =>
      [value].flat().flatMap((text): [string, string][] => (typeof text === 'string' ? [[name, text]] : [])),
    )
  } catch (error) {
    if (error instanceof Failure && (error.reason === 'TOO_MANY_FILES' || error.reason === 'TOO_LARGE')) return []
    throw error
  }
}

/** A form that is too large is refused before anybody asks who has sent it. */
const isIdentified = ({ principal }: Partial<Pick<FastifyRequest, 'principal'>>): boolean => principal !== undefined

/** Whether whoever sent a form can mend it. */
const isMendable = ({ reason }: Failure): boolean => !['FORBIDDEN', 'UNKNOWN_HOST', 'CROSS_ORIGIN'].includes(reason)

/** For somebody whose session has ended while they filled in a form: it is kept here, and sent again once they have signed in. */
async function sendKeptForm(reply: FastifyReply, pages: Pages): Promise<FastifyReply> {
  const { request } = reply
  const { keptForm } = consoleText
  const fields = await readKept(request, pages)
  const content = html`${formNotice(keptForm.body, 'warn')}<p><a class="button primary" href="${pages.base}/sign-in?next=%2Fconsole" target="_blank" rel="noopener">${keptForm.signIn}</a></p>
<form method="post" action="${pages.base}${pathOf(request)}" data-edit="unsent">
${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)}<button>${keptForm.send}</button>
</form>
`
  // Anyone may send a form, and get back five times its size.
  reserve(reply, pages.runner.budget, reply.raw, content.text.length)
  return sendPage(reply, pages, { title: keptForm.title, isNarrow: true, script: 'console.js', content })
}

/** For somebody who has changed what another has deleted meanwhile. */
const sendTyped = (reply: FastifyReply, pages: Pages, typed: readonly [name: string, text: string][]) =>
  sendPage(reply, pages, {
    title: consoleText.gone.title,
    isNarrow: true,
    content: html`${formNotice(consoleText.gone.body, 'warn')}${typed.map(([name, text]) => html`<div class="field"><label for="${idOf(name)}">${consoleText.gone.field(name)}</label>\n<textarea id="${idOf(name)}" rows="3" readonly dir="auto">\n${text}</textarea></div>\n`)}<p class="actions"><a class="button" href="${pages.base}/console/history">${consoleText.history.title}</a></p>
`,
  })

const requestOf = (pages: Pages, request: FastifyRequest, now: number, attempt?: Attempt): ConsoleRequest => ({
  read: (name, input) => pages.runner.read(name, request, input),
  mayUse: (name) => pages.runner.mayUse(name, request.principal),
  base: pages.base,
  baseUrl: request.baseUrl,
  isPublic: pages.isPublic || pages.visitors === 'open',
  localPath: (url) => localPath({ base: pages.base, baseUrl: request.baseUrl }, url),
  params: request.params as Record<string, string>,
  query: new URLSearchParams(request.url.replace(/^[^?]*/, '')),
  now,
  ...(attempt && { attempt }),
})

const maySee = ({ operation, write }: ConsolePage, { mayUse }: ConsoleRequest): boolean =>
  mayUse(operation) && (write === undefined || mayUse(write))

/** The pages of a tab that the reader may see, and that need no parameter. */
const viewsIn = (tab: ConsoleTab, request: ConsoleRequest, all: readonly ConsolePage[]): ConsolePage[] =>
  all.filter((page) => page.tab === tab && page.view !== undefined && maySee(page, request))

/** Whether attendees do not see an event, or not as editors do. */
export const isUnpublished = ({ is_published, changes }: DraftEvent): boolean => !is_published || changes.length > 0

const unpublishedIn = ({ overview: { program } }: Data<'readOverview'>): number =>
  program.new + program.changed + program.removed

function navigationOf(
  current: ConsolePage,
  request: ConsoleRequest,
  all: readonly ConsolePage[],
  unpublished: number,
): Navigation {
  const tabs = Object.entries(consoleText.tabs) as [ConsoleTab, string][]
  const links = tabs.flatMap(([tab, label]) => {
    const [first, ...others] = viewsIn(tab, request, all)
    // Who may see one page of a tab only reads what that is.
    const name = others.length === 0 ? (first?.view ?? label) : label
    const shown = tab === 'publish' && unpublished > 0 ? consoleText.unpublished(name, unpublished) : name
    return first ? [{ path: first.path, label: shown, isCurrent: tab === current.tab }] : []
  })
  return { label: consoleText.navigation, links }
}

/** Links to the other pages of the tab; a page of one record has a link back instead. */
function viewsOf(current: ConsolePage, request: ConsoleRequest, all: readonly ConsolePage[]): Html | undefined {
  const views = viewsIn(current.tab, request, all)
  if (current.view === undefined || views.length < 2) return undefined
  const links = views.map(
    ({ path, view }) =>
      html`<a href="${request.base}${path}"${path === current.path && html` aria-current="page"`}>${view}</a>\n`,
  )
  return html`<nav class="days" aria-label="${consoleText.tabs[current.tab]}">\n${links}</nav>\n`
}
