/** The query of a link that admits whoever loads the image or file; `''` without a key. */
export const mediaQuery = (key: string): string => (key === '' ? '' : `?key=${key}`)

/** The bytes of a key, of which its text has 32 characters. */
export const mediaKeyBytes = 24

/** The prefix lets us recognize our keys in any text. */
export const mediaKeyPrefix = 'smm_'

const inText = /([?&])key=smm_[\w-]{32}(&?)/g

/** Removes media keys from a text that a client sends: the links in it are those that it has read. */
export const withoutMediaKeys = (text: string): string =>
  text.includes(mediaKeyPrefix)
    ? text.replace(inText, (_, before: string, after: string) => (after ? before : ''))
    : text

/** The media key in the URL of a request. */
export const mediaKeyIn = (url: string): string | undefined => /[?&]key=(smm_[\w-]{32})(?:&|$)/.exec(url)?.[1]
