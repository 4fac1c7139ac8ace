import { all } from './page.ts'

/**
 * Takes the code from the fragment of a link, which browsers do not send, and out of the address bar and the history. It
 * is sent only when the button is pressed, so that a program that previews the link does not use it up.
 */
function takeCode(form: HTMLFormElement): void {
  const code = location.hash.slice(1)
  if (!code.startsWith('smt_')) return
  history.replaceState(null, '', location.pathname + location.search)
  const find = <E extends HTMLElement>(selector: string) => form.querySelector<E>(selector)
  const [token, typed, found] = [find<HTMLInputElement>('#token'), find('#code'), find('#found')]
  if (!token || !typed || !found) return
  token.value = code
  typed.hidden = true
  found.hidden = false
  // Whoever has a link needs no other way to sign in.
  for (const other of all('main > form, main > section')) other.hidden = other !== form
  find('input[type=email], button')?.focus()
}

export function startInvitation(): void {
  const form = document.querySelector<HTMLFormElement>('form:has(#token)')
  if (!form) return
  takeCode(form)
  // A link that is opened on this page loads nothing.
  addEventListener('hashchange', () => takeCode(form))
}
