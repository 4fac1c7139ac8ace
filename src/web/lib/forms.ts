import { all } from './page.ts'

/** What a form would send, as a text. Files have no text, so a chosen one counts by its name. */
const contentOf = (form: HTMLFormElement): string =>
  JSON.stringify([...new FormData(form)].map(([name, value]) => [name, value instanceof File ? value.name : value]))

/**
 * A form is sent once, however often its button is pressed. Whoever leaves a form marked `data-edit` with changes in it is
 * asked first.
 */
export function startForms(): void {
  const edited = new Map<HTMLFormElement, string>()
  for (const form of all<HTMLFormElement>('form[data-edit]')) edited.set(form, contentOf(form))
  const sent = new Set<HTMLFormElement>()
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (sent.has(form)) event.preventDefault()
    else if (form.method === 'post' && !event.defaultPrevented) sent.add(form)
  })
  // Whoever comes back, or keeps or shares the address, is not told again what a form has done.
  if (location.search !== '' && document.getElementById('form-notice'))
    history.replaceState(null, '', location.pathname)
  // Whoever comes back to a page in memory may send its forms again.
  addEventListener('pageshow', () => sent.clear())
  addEventListener('beforeunload', (event) => {
    if (![...edited].some(([form, before]) => !sent.has(form) && contentOf(form) !== before)) return
    event.preventDefault()
    // Whoever stays may send them again.
    sent.clear()
  })
}
