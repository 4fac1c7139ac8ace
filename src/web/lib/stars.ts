import { all, api, base, isSignedOut } from './page.ts'
import { onReplaced } from './region.ts'

// Stars are kept in this browser. For somebody who has signed in, they are also those of the account.

/** Apart from those of another summit at the same host. */
const key = `summit-stars ${base}`

/** Those that the account had when it was last heard of. What differs is not known to it: also all from before a sign-in. */
const accountKey = `summit-stars-account ${base}`

/** What could not be stored, as in a private window or with a full disk: it stays for this page. */
const unstored = new Map<string, string>()

function readSet(name: string): Set<string> {
  try {
    const ids: unknown = JSON.parse(unstored.get(name) ?? localStorage.getItem(name) ?? '[]')
    // Anything may have written to the storage.
    return new Set(Array.isArray(ids) ? ids.filter((id): id is string => /^\d{1,16}$/.test(id)) : [])
  } catch {
    return new Set()
  }
}

function writeSet(name: string, ids: Set<string>): void {
  const text = JSON.stringify([...ids])
  try {
    localStorage.setItem(name, text)
    unstored.delete(name)
  } catch {
    unstored.set(name, text)
  }
}

/** Whether the stars here are those of an account. */
function areOfAccount(): boolean {
  try {
    return (unstored.get(accountKey) ?? localStorage.getItem(accountKey)) !== null
  } catch {
    return false
  }
}

/** Several people may use a browser, and stars may say what one of them believes or suffers from. */
function forget(): void {
  for (const name of [key, accountKey]) {
    unstored.delete(name)
    try {
      localStorage.removeItem(name)
    } catch {
      // Nothing is stored.
    }
  }
}

/** Forgets the stars with whoever signs out, and those of an account before somebody signs in. */
export function startForgetting(): void {
  const signOut = document.querySelector('form[action$="/me/sign-out"]')
  if (signOut) signOut.addEventListener('submit', forget)
  else if (areOfAccount()) forget()
}

/** The ids of the starred sessions, in the order in which they were starred. */
export const starred = (): string[] => [...readSet(key)]

const listeners: (() => void)[] = []

/** Calls a function after each change, also by another tab. */
export const onStarsChanged = (listener: () => void): void => void listeners.push(listener)

function showStars(): void {
  const stars = readSet(key)
  for (const button of all<HTMLButtonElement>('[data-star]')) {
    const isStarred = stars.has(button.dataset.star ?? '')
    button.hidden = false
    button.setAttribute('aria-pressed', String(isStarred))
    button.closest('.session')?.classList.toggle('starred', isStarred)
  }
}

function show(): void {
  showStars()
  for (const listener of listeners) listener()
}

/** Stars a session, or removes its star. */
export function toggle(id: string): void {
  // Another tab may have changed them.
  const stars = readSet(key)
  if (!stars.delete(id)) stars.add(id)
  writeSet(key, stars)
  show()
  void synchronize()
}

interface Stars {
  stars: { event_id: string }[]
}

/** The most that one request adds, and that it removes. */
const most = 500

/** Sends what was changed here to the account, and takes over what was changed elsewhere. */
async function exchange(): Promise<void> {
  const [stars, known] = [readSet(key), readSet(accountKey)]
  const add = [...stars.difference(known)].slice(0, most)
  const remove = [...known.difference(stars)].slice(0, most)
  const hasChanges = add.length + remove.length > 0
  const data = hasChanges
    ? await api<Stars>('PUT', '/me/stars', { add: add.map(Number), remove: remove.map(Number) })
    : await api<Stars>('GET', '/me/stars')
  const ofAccount = new Set(data.stars.map(({ event_id }) => event_id))
  // What was changed here in the meantime, and what one request could not hold, is still to be sent.
  const sent = known.union(new Set(add)).difference(new Set(remove))
  const current = readSet(key)
  const merged = ofAccount.difference(sent.difference(current)).union(current.difference(sent))
  writeSet(key, merged)
  writeSet(accountKey, ofAccount)
  show()
  if (merged.symmetricDifference(ofAccount).size > 0) await exchange()
}

async function synchronize(): Promise<void> {
  // Only somebody who has signed in has a link to their account. A link of another site leads to a page without it.
  if (!document.querySelector('[data-account]') && !areOfAccount()) return
  try {
    // One tab after the other, so that no response is older than one that another has brought.
    await navigator.locks.request(key, exchange)
  } catch (error) {
    // Without a connection, or for an organizer, they stay in this browser.
    if (!isSignedOut(error) || !areOfAccount()) return
    forget()
    show()
  }
}

/** Makes the stars of the page work. */
export function startStars(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-star]') : null
    if (button?.dataset.star) toggle(button.dataset.star)
  })
  addEventListener('storage', (event) => {
    // Null if all was deleted.
    if (event.key === key || event.key === null) show()
  })
  // A page that one goes back to has heard of nothing since.
  addEventListener('pageshow', (event) => {
    if (event.persisted) show()
  })
  addEventListener('online', () => void synchronize())
  onReplaced(showStars)
  show()
  void synchronize()
}
