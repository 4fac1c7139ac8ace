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

type Initiator = 'own page' | 'address bar' | 'other site'

/** A browser, as far as cookies, redirects and `Sec-Fetch-Site` of navigations go. `PUBLIC_URL` leads to one server. */
export class Browser {
  readonly #server: string
  readonly #cookies = new Map<string, Map<string, Cookie>>()
  /** Every URL that a redirect or refresh led to. */
  readonly steps: string[] = []
  /** Whether to stay before a URL is requested. */
  stopsAt: (url: string) => boolean = () => false

  /** @param server the URL to which `PUBLIC_URL` leads */
  constructor(server: string) {
    this.#server = server
  }

  /** The client of our own pages in this browser. */
  get client() {
    const cookie = this.#headerFor(publicUrl, true)
    return createClient(this.#server, { headers: { 'sec-fetch-site': 'same-origin', ...(cookie && { cookie }) } })
  }

  cookie(name: string): string | undefined {
    return this.#jarOf(publicUrl).get(name)?.value
  }

  setCookie(name: string, value: string, isStrict = false): void {
    this.#jarOf(publicUrl).set(name, { value, isStrict })
  }

  forgetOtherSites(): void {
    for (const origin of this.#cookies.keys()) if (origin !== publicUrl) this.#cookies.delete(origin)
  }

  deleteCookie(name: string): void {
    this.#jarOf(publicUrl).delete(name)
  }

  /** Goes to a path of ours or a URL, and on with each redirect and refresh. */
  async visit(target: string, initiator: Initiator = 'own page'): Promise<Visited> {
    let url = new URL(target, publicUrl)
    // Once another site has been part of the way, cookies that are Strict are not sent.
    let site = initiator === 'own page' ? 'same-origin' : initiator === 'address bar' ? 'none' : 'cross-site'
    for (let steps = 0; steps < 20; steps++) {
      const isOurs = url.origin === publicUrl
      if (!isOurs) site = 'cross-site'
      if (this.stopsAt(url.href)) return { url: url.href, status: 0, headers: new Headers(), text: '' }
      const cookie = this.#headerFor(url.origin, site !== 'cross-site')
      const response = await fetch(isOurs ? this.#server + url.pathname + url.search : url, {
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
      url = new URL(next, url)
      this.steps.push(url.href)
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
