import type { EventId, FileId } from './ids.ts'

/** Absolute addresses of this service, as one client sees it. */
export class Links {
  /** Without a slash at the end. */
  readonly base: string

  /** @param base `PUBLIC_URL`, or the address that the client itself used */
  constructor(base: string) {
    this.base = base
  }

  file(id: FileId, name: string): string {
    return `${this.base}/api/newsfeeds/files/${id}/${encodeURIComponent(name)}`
  }

  /** The id in an address that {@link file} made, whatever name it ends in; undefined for any other link. */
  fileIdOf(link: string): FileId | undefined {
    const [url, own] = [URL.parse(link), URL.parse(`${this.base}/api/newsfeeds/files/`)]
    if (!url || url.origin !== own?.origin || !url.pathname.startsWith(own.pathname)) return undefined
    const [, id] = /^([1-9]\d{0,15})(?:\/|$)/.exec(url.pathname.slice(own.pathname.length)) ?? []
    return id === undefined ? undefined : (Number(id) as FileId)
  }

  banner(eventId: EventId): string {
    return `${this.base}/api/program/banner/get/${eventId}`
  }

  /** The absolute form of a participant's photo: a URL as it is, a stored path below the base, null for none. */
  photo(photo: string): string | null {
    if (isHttp(photo)) return photo
    if (photo === '' || !isPhoto(photo)) return null
    return `${this.base}/${encodeURI(photo.replace(/^\/+/, ''))}`
  }
}

/**
 * Whether a participant's photo is what it may be: an http(s) URL, or a path (`''` for none). `javascript:` and its like
 * are nothing to show. Browsers look past white space and control characters, so we do.
 */
export function isPhoto(text: string): boolean {
  if (!text.includes(':')) return true
  const seen = text.replace(/[\s\p{Cc}]/gu, '')
  return /^[a-z][a-z0-9+.-]*:/i.test(seen) ? isHttpUrl(text) : true
}

export const isHttpUrl = (text: string): boolean => isHttp(text) && URL.canParse(text)

const isHttp = (text: string): boolean => /^https?:\/\//i.test(text)
