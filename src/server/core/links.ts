import { operations } from '../../contract/index.ts'
import { isMedia, type Operation, pathOf } from '../../contract/operation.ts'
import type { EventId, FileId, SpeakerId } from './ids.ts'

/** The part of a file's path before its id. */
const [filesPath = ''] = operations.readFile.path.split('{file_id}')

/** The paths of images and files. */
const mediaPath = new RegExp(
  `^(?:${(Object.values(operations) as Operation[])
    .filter(isMedia)
    .map(({ path }) => path.replace(/\{\w+\}/g, '[^/?#]+'))
    .join('|')})$`,
)

/** The query of a link with which anyone may load the image or file; `''` without a key. */
export const mediaQuery = (key: string): string => (key === '' ? '' : `?key=${key}`)

/** Absolute URLs of this service, as one client sees it. */
export class Links {
  /** Without a trailing slash. */
  readonly base: string

  /** For links to images and files of this service. */
  readonly #query: string

  /**
   * @param base `PUBLIC_URL`, or the origin that the client used
   * @param mediaKey see `Viewer`
   */
  constructor(base: string, mediaKey: string) {
    this.base = base
    this.#query = mediaQuery(mediaKey)
  }

  file(id: FileId, name: string): string {
    return this.base + pathOf(operations.readFile, { file_id: id, file_name: name }) + this.#query
  }

  /** The id in a URL from {@link file}, with any file name; undefined for other links. */
  fileIdOf(link: string): FileId | undefined {
    const path = this.#pathOf(link) ?? ''
    const [, id] = /^([1-9]\d{0,15})(?:\/|$)/.exec(path.startsWith(filesPath) ? path.slice(filesPath.length) : '') ?? []
    return id === undefined ? undefined : (Number(id) as FileId)
  }

  /** The path below the base of a URL of this service; undefined for other links. */
  #pathOf(link: string): string | undefined {
    const [url, own] = [URL.parse(link), URL.parse(`${this.base}/`)]
    if (!url || url.origin !== own?.origin || !url.pathname.startsWith(own.pathname)) return undefined
    return url.pathname.slice(own.pathname.length - 1)
  }

  /** The page that signs somebody in. Browsers do not send the fragment. */
  signIn(secret: string): string {
    return `${this.base}/sign-in#${secret}`
  }

  /** The page where the first owner signs in. */
  setup(secret: string): string {
    return `${this.base}/setup#${secret}`
  }

  banner(eventId: EventId): string {
    return this.base + pathOf(operations.readBanner, { id: eventId }) + this.#query
  }

  /** Of an event. */
  eventPhoto(eventId: EventId): string {
    return this.base + pathOf(operations.readPhoto, { id: eventId }) + this.#query
  }

  /** The photo of a speaker, a URL elsewhere as it is; null for none. */
  speakerPhoto({ id, photo }: { id: SpeakerId; photo: string }): string | null {
    if (isHttp(photo)) return this.withMediaKey(photo)
    return photo === '' ? null : this.base + pathOf(operations.readSpeakerPhoto, { id }) + this.#query
  }

  /** The logo of the conference. @param key of its blob, which ends with the name of the file */
  logo(key: string): string {
    return this.base + pathOf(operations.readLogo, { file_name: key.split('/').at(-1) }) + this.#query
  }

  /** The details of an event. */
  event(eventId: EventId): string {
    return this.base + pathOf(operations.getScheduleEvent, { id: eventId })
  }

  /** A file with the program. */
  programFile(file: string): string {
    return this.base + pathOf(operations.exportProgram, { file })
  }

  /** These links without a key, for what is passed on. */
  withoutKey(): Links {
    return new Links(this.base, '')
  }

  /** The absolute URL of the photo of a participant: a URL as it is, a stored path below the base, null for none. */
  photo(photo: string): string | null {
    if (isHttp(photo)) return this.withMediaKey(photo)
    if (photo === '' || !isPhoto(photo)) return null
    return this.withMediaKey(`${this.base}/${encodeURI(photo.replace(/^\/+/, ''))}`)
  }

  /** The path below the base that a client has sent as a photo, whole or as a URL; undefined for other URLs. */
  photoPathOf(photo: string): string | undefined {
    return this.#pathOf(isHttp(photo) ? photo : `${this.base}/${photo.replace(/^\/+/, '')}`)
  }

  /** A link or path as a client has sent it, which may be of an image or file of this service. */
  withMediaKey(link: string): string {
    if (this.#query === '') return link
    const below = isHttp(link) ? this.base : ''
    // Of several slashes, browsers read two as the start of a host.
    const path = below === '' ? `/${link.replace(/^\//, '')}` : link.slice(below.length)
    return link.startsWith(below) && mediaPath.test(path) ? link + this.#query : link
  }
}

/**
 * Whether a participant's photo is valid: an http(s) URL or a path (`''` for none), no other scheme such as
 * `javascript:`. White space and control characters are ignored, as browsers ignore them.
 */
export function isPhoto(text: string): boolean {
  if (!text.includes(':')) return true
  const seen = text.replace(/[\s\p{Cc}]/gu, '')
  return /^[a-z][a-z0-9+.-]*:/i.test(seen) ? isHttpUrl(text) : true
}

export const isHttpUrl = (text: string): boolean => isHttp(text) && URL.canParse(text)

const isHttp = (text: string): boolean => /^https?:\/\//i.test(text)
