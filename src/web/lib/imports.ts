import { fileFieldOf } from './drop.ts'
import { all, base } from './page.ts'

/** The files that were chosen last. Forms on the page after them need them again. */
let chosen: FileList | undefined

/** Fills in the files that a form asks for again. */
function chooseAgain(): void {
  for (const field of all('[data-same-file]')) {
    const input = fileFieldOf(field)
    if (!input || !chosen) continue
    input.files = chosen
    field.hidden = true
  }
}

/**
 * Shows in a form how far its file is.
 * @param share of the file that is sent; undefined if that is not known
 * @param words why it failed, if the server says so
 */
function showProgress(
  form: HTMLFormElement,
  key: 'sending' | 'reading' | 'failed',
  share?: number,
  words?: string,
): void {
  const line = form.querySelector<HTMLElement>('[data-progress]')
  const bar = line?.querySelector('progress')
  const status = line?.querySelector('[role=status]')
  if (!line || !bar || !status) return
  bar.hidden = key === 'failed'
  if (share === undefined) bar.removeAttribute('value')
  else bar.value = share
  const said = words ?? line.dataset[key] ?? ''
  if (status.textContent !== said) status.textContent = said
}

/** A file that was changed after it was chosen cannot be sent; it has to be chosen again. */
function showFailure(form: HTMLFormElement): void {
  showProgress(form, 'failed')
  for (const field of form.querySelectorAll<HTMLElement>('[data-same-file]')) field.hidden = false
}

/** Sends a form with its files. Shows the page that comes back in place of this one, or goes where it leads. */
function sendForm(form: HTMLFormElement): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const request = new XMLHttpRequest()
  request.open('POST', form.action)
  request.responseType = 'document'
  request.setRequestHeader('accept', 'text/html')
  request.upload.onprogress = ({ loaded, total }) => showProgress(form, 'sending', loaded / total)
  request.upload.onload = () => showProgress(form, 'reading')
  request.onerror = reject
  request.onload = () => {
    const busy = request.status === 503 && request.responseXML?.getElementById('form-notice')?.textContent
    if (busy) {
      // The page stays with all that was chosen, the file included.
      showProgress(form, 'failed', undefined, busy)
      resolve()
    } else if (new URL(request.responseURL).pathname !== new URL(form.action).pathname)
      location.assign(request.responseURL)
    else if (replacePage(request.responseXML)) resolve()
    else reject(new Error('The server has sent no page.'))
  }
  showProgress(form, 'sending', 0)
  request.send(bodyOf(form))
  return promise
}

/** As browsers send a form: one that is not multipart has the names of its files. */
function bodyOf(form: HTMLFormElement): FormData | URLSearchParams {
  const fields = new FormData(form)
  if (form.enctype === 'multipart/form-data') return fields
  const texts = [...fields].map(([name, value]) => [name, value instanceof File ? value.name : value])
  return new URLSearchParams(texts)
}

function replacePage(page: Document | null): boolean {
  const [from, to] = [page?.getElementById('main'), document.getElementById('main')]
  if (!from || !to) return false
  to.replaceChildren(...from.childNodes)
  chooseAgain()
  scrollTo(0, 0)
  const begin = to.querySelector<HTMLElement>('[autofocus]') ?? to
  begin.focus()
  document.dispatchEvent(new Event('replaced'))
  return true
}

interface Imported {
  images: { targets: unknown[]; reason: string | null }[]
  revision_id: string | null
}

/** Sends a picture to the API. It becomes part of the revision of the picture before. */
async function sendPicture(form: HTMLFormElement, file: File): Promise<Imported> {
  const { revision = '' } = form.dataset
  const body = new FormData(form)
  body.set('uploaded_files', file)
  if (revision !== '') body.append('revision_id', revision)
  const response = await fetch(`${base}/api/images/import/apply`, { method: 'POST', body })
  const [{ response_code: code, data, system }] = await response.json()
  if (code >= 4000) throw new Error(system.message)
  return data
}

/**
 * Sends the pictures of a plan one after the other, as more of them are chosen than fit into a request, and says beside
 * each what became of it. Together they are one revision.
 */
async function sendPictures(form: HTMLFormElement): Promise<void> {
  const line = form.querySelector<HTMLElement>('[data-progress]')
  const [bar, status] = [line?.querySelector('progress'), line?.querySelector('[role=status]')]
  if (!line || !bar || !status) return
  const files = [...(fileFieldOf(form)?.files ?? [])]
  const rows = all('[data-picture]').flatMap((row) => {
    const file = files.find(({ name }) => name === row.dataset.picture)
    return file ? [{ row, file, state: row.querySelector('[data-state]') }] : []
  })
  let isWhole = true
  let done = 0
  bar.hidden = false
  for (const { row, file, state } of rows) {
    if (row.dataset.sent === undefined) {
      try {
        const { images, revision_id } = await sendPicture(form, file)
        if (revision_id !== null) form.dataset.revision = revision_id
        row.dataset.sent = ''
        const reason = images[0]?.reason ?? null
        if (reason !== null) isWhole = false
        if (state) state.textContent = reason ?? '✓'
      } catch {
        isWhole = false
        if (state) state.textContent = line.dataset.unsent ?? ''
      }
    }
    if (row.dataset.sent !== undefined) done++
    bar.value = done / rows.length
    status.textContent = (line.dataset.counting ?? '').replace('{done}', `${done}`).replace('{all}', `${rows.length}`)
  }
  const next = `${form.dataset.pictures}?done=${form.dataset.revision ?? ''}`
  if (isWhole) return location.assign(next)
  const link = line.querySelector('a') ?? document.createElement('a')
  link.href = next
  link.textContent = line.dataset.go ?? ''
  line.append(link)
}

/**
 * Sends forms marked `data-import` without leaving the page: it shows how far a large file is, and a file is chosen once for
 * its plan and its import.
 */
export function startImports(): void {
  const sending = new Set<HTMLFormElement>()
  document.addEventListener('submit', async (event) => {
    const form = event.target as HTMLFormElement
    const isImport = form.dataset.import !== undefined
    if (!isImport && form.dataset.pictures === undefined) return
    event.preventDefault()
    if (sending.has(form)) return
    sending.add(form)
    chosen = fileFieldOf(form)?.files ?? chosen
    await (isImport ? sendForm(form).catch(() => showFailure(form)) : sendPictures(form))
    sending.delete(form)
  })
  document.addEventListener('click', ({ target }) => {
    const button = (target as HTMLElement).closest<HTMLElement>('[data-tick]')
    const boxes = button?.closest('details')?.querySelectorAll<HTMLInputElement>('input[name=only]') ?? []
    for (const box of boxes) box.checked = button?.dataset.tick === 'true'
  })
  // One press selects an address to copy.
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLInputElement && target.dataset.copy !== undefined) target.select()
  })
}
