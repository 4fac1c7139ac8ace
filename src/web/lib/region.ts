// A part of a page that is fetched again.

/** Calls a function each time that a region was replaced. */
export const onReplaced = (listener: () => void): void => document.addEventListener('replaced', listener)

/** Reads another page, which the browser parses without running anything in it. @returns null if there is none */
export const readPage = (url: string): Promise<Document | null> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('GET', url)
    request.responseType = 'document'
    request.onload = () => resolve(request.status === 200 ? request.responseXML : null)
    request.onerror = reject
    request.send()
  })

/** Replaces what an element shows with what the page at a URL has in the element of the same id. */
export async function replaceFrom(url: string, region: HTMLElement): Promise<void> {
  const page = await readPage(url)
  const found = page?.getElementById(region.id)
  if (!found) throw new Error('The page has no such region.')
  region.replaceChildren(...found.childNodes)
  region.dataset.until = found.dataset.until ?? ''
  document.dispatchEvent(new Event('replaced'))
}
