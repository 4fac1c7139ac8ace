import { islands } from '../text/en.ts'
import { base } from './page.ts'
import { replaceFrom } from './region.ts'
import { onStarsChanged, starred, toggle } from './stars.ts'

// One's own plan. The server draws it for a list of sessions, as it does not know the stars of a browser.

/** Where a session was that is not in the plan any more, so that it can be put back there. */
interface Removed {
  id: string
  title: string
  /** The session before it. */
  before: string | undefined
  hadFocus: boolean
}

/** A plan that somebody has sent is none of this browser, and stays as it is. */
export function startPlan(): void {
  const region = document.querySelector<HTMLElement>('[data-plan]')
  if (!region) return
  let shown = region.dataset.plan?.split(',').filter(Boolean) ?? []
  const refresh = async () => {
    const ids = starred()
    if (ids.length === shown.length && ids.every((id) => shown.includes(id))) return
    const removed = shown.filter((id) => !ids.includes(id)).flatMap((id) => findSession(region, id))
    const url = `${base}/plan?sessions=${ids.join(',')}`
    const before = shown
    shown = ids
    const { scrollX, scrollY } = window
    try {
      await replaceFrom(ids.length > 0 ? url : `${base}/plan`, region)
      for (const session of removed) offerToPutBack(region, session)
      scrollTo(scrollX, scrollY)
    } catch {
      // Without a connection. What is shown stays, unless it is wrong.
      shown = before
      if (before.length === 0) offerLink(region, url)
    }
  }
  // One after the other, as a response that is late would show what is in the plan no more.
  let last = Promise.resolve()
  const refreshInTurn = () => {
    last = last.then(refresh)
  }
  onStarsChanged(refreshInTurn)
  // The account has its own, which are shown already.
  if (region.dataset.plan === '' && starred().length > 0) {
    region.replaceChildren()
    refreshInTurn()
  }
}

function findSession(region: HTMLElement, id: string): Removed[] {
  const sessions = [...region.querySelectorAll<HTMLElement>('[data-session]')]
  const index = sessions.findIndex(({ dataset }) => dataset.session === id)
  const session = sessions[index]
  if (!session) return []
  const title = session.querySelector('h3')?.textContent ?? ''
  const hadFocus = session.contains(document.activeElement)
  return [{ id, title, before: sessions[index - 1]?.dataset.session, hadFocus }]
}

function offerToPutBack(region: HTMLElement, { id, title, before, hadFocus }: Removed): void {
  const notice = document.createElement('p')
  notice.className = 'removed'
  const words = document.createElement('span')
  words.textContent = islands.removed(title)
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = islands.putBack
  button.addEventListener('click', () => toggle(id))
  notice.append(words, button)
  const previous = before && region.querySelector(`[data-session="${before}"] > div`)
  if (previous) previous.append(notice)
  else region.prepend(notice)
  if (hadFocus) button.focus({ preventScroll: true })
}

function offerLink(region: HTMLElement, url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.textContent = islands.planFailed
  region.replaceChildren(link)
}
