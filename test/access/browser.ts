import { createClient } from '../../src/client/client.ts'
import { publicUrl } from './app-with-keys.ts'

interface Cookie {
  value: string
  isStrict: boolean
}

export interface Visited {
  url: string
  status: number
  headers: Headers
  text: string
}

interface Visit {
  /** Where the link is. */
  from?: 'own page' | 'address bar' | 'other site'
  /** The beginning of a URL that is not requested any more. */
  until?: string
  /** Whether the first request is that of a form. */
  isForm?: boolean
}

/** A browser, as far as cookies, redirects and `Sec-Fetch-Site` of navigations go. `PUBLIC_URL` leads to one server. */
export class Browser {
  /** The URL to which `PUBLIC_URL` leads. */
  server: string
  readonly #cookies = new Map<string, Map<string, Cookie>>()

  constructor(server: string) {
    this.server = server
  }

  /** The client of our own pages in this browser. */
  get client() {
    const cookie = this.#headerFor(publicUrl, true)
    return createClient(this.server, { headers: { 'sec-fetch-site': 'same-origin', ...(cookie && { cookie }) } })
  }

  cookie(name: string): string | undefined {
    return this.#jarOf(publicUrl).get(name)?.value
  }

  setCookie(name: string, value: string, isStrict = false): void {
    this.#jarOf(publicUrl).set(name, { value, isStrict })
  }

  /** Presses the button of a form, by default on a page of ours, and goes on like `visit`. */
  submit = (target: string, visit: Visit = {}): Promise<Visited> => this.visit(target, { ...visit, isForm: true })

  /** Goes to a path of ours or a URL, and on with each redirect and refresh. */
  async visit(target: string, { from = 'own page', until, isForm = false }: Visit = {}): Promise<Visited> {
    let url = new URL(target, publicUrl)
    let method = isForm ? 'POST' : 'GET'
    // Once another site has been part of the way, cookies that are Strict are not sent.
    let site = from === 'own page' ? 'same-origin' : from === 'address bar' ? 'none' : 'cross-site'
    for (let steps = 0; steps < 20; steps++) {
      const isOurs = url.origin === publicUrl
      if (!isOurs) site = 'cross-site'
      if (until !== undefined && url.href.startsWith(until))
        return { url: url.href, status: 0, headers: new Headers(), text: '' }
      const cookie = this.#headerFor(url.origin, site !== 'cross-site')
      const response = await fetch(isOurs ? this.server + url.pathname + url.search : url, {
        method,
        redirect: 'manual',
        headers: { accept: 'text/html', 'sec-fetch-site': site, ...(cookie && { cookie }) },
      })
      for (const line of response.headers.getSetCookie()) this.#store(url.origin, line)
      const text = await response.text()
      const refresh = /^0(?:; url=(.*))?$/.exec(response.headers.get('refresh') ?? '')
      const location = response.headers.get('location')
      const next = location ?? refresh?.[1] ?? (refresh && url.href)
      if (next === undefined || next === null)
        return { url: url.href, status: response.status, headers: response.headers, text }
      if (refresh) site = 'same-origin'
      method = 'GET'
      url = new URL(next, url)
    }
    throw new Error('too many redirects')
  }

  #jarOf(origin: string): Map<string, Cookie> {
    const jar = this.#cookies.get(origin) ?? new Map<string, Cookie>()
    this.#cookies.set(origin, jar)
    return jar
  }

  #headerFor(origin: string, isSameSite: boolean): string {
    const sent = [...this.#jarOf(origin)].filter(([, { isStrict }]) => isSameSite || !isStrict)
    return sent.map(([name, { value }]) => `${name}=${value}`).join('; ')
  }

  #store(origin: string, line: string): void {
    const [, name = '', value = '', attributes = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? []
    if (/max-age=0|expires=thu, 01 jan 1970/i.test(attributes)) this.#jarOf(origin).delete(name)
    else this.#jarOf(origin).set(name, { value, isStrict: /samesite=strict/i.test(attributes) })
  }
}
