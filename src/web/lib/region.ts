// A part of a page that is fetched again.

/** Calls a function each time that a region was replaced. */
export const onReplaced = (listener: () => void): void => document.addEventListener('replaced', listener)

/**
 * Replaces what an element shows with what the page at a URL has in the element of the same id. The browser parses that page
 * without running anything in it.
 */
export async function replaceFrom(url: string, region: HTMLElement): Promise<void> {
  const page = await new Promise<Document | null>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('GET', url)
    request.responseType = 'document'
    request.onload = () => resolve(request.status === 200 ? request.responseXML : null)
    request.onerror = reject
    request.send()
  })
  const found = page?.getElementById(region.id)
  if (!found) throw new Error('The page has no such region.')
  region.replaceChildren(...found.childNodes)
  region.dataset.until = found.dataset.until ?? ''
  document.dispatchEvent(new Event('replaced'))
}
