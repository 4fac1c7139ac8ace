import type { Audience } from './principal.ts'

/** For whom a response is: everyone with the same viewer reads the same at an address. */
export interface Viewer {
  readonly audience: Audience
  /** The base of the absolute links in the response; never holds a credential. */
  readonly baseUrl: string
  /** In links to images and files, whose loaders send no header; `''` where these are for anyone. */
  readonly mediaKey: string
}
