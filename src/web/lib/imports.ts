import { all } from './page.ts'

/** The files that were chosen last. Forms on the page after them need them again. */
let chosen: FileList | undefined

const fileFieldOf = (form: ParentNode): HTMLInputElement | null => form.querySelector('input[type=file]')

/** Fills in the files that a form asks for again. */
function chooseAgain(): void {
  for (const field of all('[data-same-file]')) {
    const input = fileFieldOf(field)
    if (!input || !chosen) continue
    input.files = chosen
    field.hidden = true
  }
}

/** Shows in a form how far its file is. @param share of the file that is sent; undefined if that is not known */
function showProgress(form: HTMLFormElement, key: 'sending' | 'reading' | 'failed', share?: number): void {
  const line = form.querySelector<HTMLElement>('[data-progress]')
  const bar = line?.querySelector('progress')
  const status = line?.querySelector('[role=status]')
  if (!line || !bar || !status) return
  bar.hidden = key === 'failed'
  if (share === undefined) bar.removeAttribute('value')
  else bar.value = share
  const said = line.dataset[key] ?? ''
  if (status.textContent !== said) status.textContent = said
}

/** Sends a form with its files. Shows the page that comes back in place of this one, or goes where it leads. */
export function sendForm(form: HTMLFormElement, body: FormData): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const request = new XMLHttpRequest()
  request.open('POST', form.action)
  request.responseType = 'document'
  request.setRequestHeader('accept', 'text/html')
  request.upload.onprogress = ({ loaded, total }) => showProgress(form, 'sending', loaded / total)
  request.upload.onload = () => showProgress(form, 'reading')
  request.onerror = reject
  request.onload = () => {
    if (new URL(request.responseURL).pathname !== new URL(form.action).pathname) location.assign(request.responseURL)
    else if (replacePage(request.responseXML)) resolve()
    else reject(new Error('The server has sent no page.'))
  }
  showProgress(form, 'sending', 0)
  request.send(body)
  return promise
}

function replacePage(page: Document | null): boolean {
  const [from, to] = [page?.getElementById('main'), document.getElementById('main')]
  if (!from || !to) return false
  to.replaceChildren(...from.childNodes)
  chooseAgain()
  scrollTo(0, 0)
  to.focus({ preventScroll: true })
  document.dispatchEvent(new Event('replaced'))
  return true
}

/**
 * Sends forms marked `data-import` without leaving the page: it shows how far a large file is, and a file is chosen once for
 * its plan and its import.
 */
export function startImports(): void {
  const sending = new Set<HTMLFormElement>()
  document.addEventListener('submit', async (event) => {
    const form = event.target as HTMLFormElement
    if (form.dataset.import === undefined) return
    event.preventDefault()
    if (sending.has(form)) return
    sending.add(form)
    chosen = fileFieldOf(form)?.files ?? chosen
    await sendForm(form, new FormData(form)).catch(() => showProgress(form, 'failed'))
    sending.delete(form)
  })
  for (const type of ['dragover', 'dragleave', 'drop'] as const) document.addEventListener(type, drop)
}

/** Files that are dropped beside a field for them would replace the page. */
function drop(event: DragEvent): void {
  const field = (event.target as HTMLElement).closest?.<HTMLElement>('[data-drop]')
  for (const other of all('[data-drop].over')) other.classList.remove('over')
  if (!event.dataTransfer?.types.includes('Files') || all('[data-drop]').length === 0) return
  if (event.type !== 'dragleave') event.preventDefault()
  const input = field && fileFieldOf(field)
  if (!input) return
  field.classList.toggle('over', event.type === 'dragover')
  if (event.type !== 'drop') return
  input.files = event.dataTransfer.files
  input.dispatchEvent(new Event('change', { bubbles: true }))
}
