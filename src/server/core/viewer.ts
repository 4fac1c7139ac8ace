import type { Audience } from './principal.ts'

/** For whom a response is: everyone with the same viewer reads the same at an address. */
export interface Viewer {
  readonly audience: Audience
  /** The base of the absolute links in the response; never holds a credential. */
  readonly baseUrl: string
  /** Admits the loaders of the images and files to which the response links; `''` where they are for anyone. */
  readonly mediaKey: string
}
