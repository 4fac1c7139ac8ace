import { all, api, base } from './page.ts'

// Stars are kept in this browser. For somebody who has signed in, they are also those of the account.

/** Apart from those of another summit at the same host. */
const key = `summit-stars ${base}`

/** Changes that the account does not know yet. */
const unsentKey = `summit-stars-unsent ${base}`

function readSet(name: string): Set<string> {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(name) ?? '[]')
    return new Set(Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : [])
  } catch {
    // Private windows may have no storage, and anything may have written to it.
    return new Set()
  }
}

function writeSet(name: string, ids: Set<string>): void {
  try {
    localStorage.setItem(name, JSON.stringify([...ids]))
  } catch {
    // The stars stay for this page.
  }
}

let stars = readSet(key)

/** The ids of the starred sessions, in the order in which they were starred. */
export const starred = (): string[] => [...stars]

const listeners: (() => void)[] = []

/** Calls a function after each change, also by another tab. */
export const onStarsChanged = (listener: () => void): void => void listeners.push(listener)

function show(): void {
  for (const button of all<HTMLButtonElement>('[data-star]')) {
    const isStarred = stars.has(button.dataset.star ?? '')
    button.hidden = false
    button.setAttribute('aria-pressed', String(isStarred))
    button.closest('.session')?.classList.toggle('starred', isStarred)
  }
  for (const listener of listeners) listener()
}

function toggle(id: string): void {
  const unsent = readSet(unsentKey)
  if (stars.has(id)) stars.delete(id)
  else stars.add(id)
  unsent.add(id)
  writeSet(key, stars)
  writeSet(unsentKey, unsent)
  show()
  void synchronize()
}

interface Stars {
  stars: { event_id: string }[]
}

/** Sends what was changed here to the account, and takes over what was changed elsewhere. */
async function synchronize(): Promise<void> {
  // Only somebody who has signed in has a link to their account.
  if (!document.querySelector('[data-account]')) return
  const unsent = readSet(unsentKey)
  const add = [...unsent].filter((id) => stars.has(id)).map(Number)
  const remove = [...unsent].filter((id) => !stars.has(id)).map(Number)
  try {
    const data =
      unsent.size > 0 ? await api<Stars>('PUT', '/me/stars', { add, remove }) : await api<Stars>('GET', '/me/stars')
    // Stars from before the first sign-in become those of the account.
    const left = new Set([...readSet(unsentKey)].filter((id) => !unsent.has(id)))
    const ofAccount = data.stars.map(({ event_id }) => event_id)
    stars = new Set([...ofAccount, ...left].filter((id) => !left.has(id) || stars.has(id)))
    writeSet(key, stars)
    writeSet(unsentKey, left)
    show()
  } catch {
    // Without a connection, or for an organizer, they stay in this browser.
  }
}

/** Makes the stars of the page work. */
export function startStars(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-star]') : null
    if (button?.dataset.star) toggle(button.dataset.star)
  })
  addEventListener('storage', (event) => {
    if (event.key !== key) return
    stars = readSet(key)
    show()
  })
  show()
  void synchronize()
}
