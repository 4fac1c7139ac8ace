import { islands } from '../text/en.ts'
import { all } from './page.ts'

/** What a form would send, as a text. Files have no text, so a chosen one counts by its name. */
const contentOf = (form: HTMLFormElement): string =>
  JSON.stringify([...new FormData(form)].map(([name, value]) => [name, value instanceof File ? value.name : value]))

/**
 * A form is sent once, however often its button is pressed, and not without a network: the page of the browser that says so
 * would take its place. Whoever leaves a form marked `data-edit` with changes in it is asked first, and whoever leaves one
 * marked `data-edit="unsent"` in any case.
 */
export function startForms(): void {
  const edited = new Map<HTMLFormElement, string>()
  for (const form of all<HTMLFormElement>('form[data-edit]'))
    edited.set(form, form.dataset.edit === 'unsent' ? '' : contentOf(form))
  const sent = new Set<HTMLFormElement>()
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    const isOffline = form.method === 'post' && !navigator.onLine
    if (isOffline) sayOffline(form)
    if (sent.has(form) || isOffline) event.preventDefault()
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

/** Says it beside the buttons of a form. */
function sayOffline(form: HTMLFormElement): void {
  form.querySelector('[data-offline]')?.remove()
  const notice = document.createElement('p')
  notice.className = 'notice warn'
  notice.role = 'alert'
  notice.dataset.offline = ''
  notice.textContent = islands.offline
  form.append(notice)
  notice.scrollIntoView({ block: 'nearest' })
}
