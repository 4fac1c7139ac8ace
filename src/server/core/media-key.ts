/** The bytes of a key, of which its text has 32 characters. */
export const mediaKeyBytes = 24

/** The prefix lets us recognize our keys in any text. */
export const mediaKeyPrefix = 'smm_'

const anywhere = /smm_[\w-]{32}/g
/** The prefix of a key; matches may overlap. */
const prefixOfKey = /smm_(?=[\w-]{32})/g
const inQuery = new RegExp(`([?&])key=${anywhere.source}(&?)`, 'g')

/** Removes media keys from a text that a client sends: the links in it are those that it has read. */
export function withoutMediaKeys(text: string): string {
  if (!text.includes(mediaKeyPrefix)) return text
  const plain = text.replace(inQuery, (_, before: string, after: string) => (after ? before : ''))
  // A link may also be encoded, as in the query of another.
  const left = plain.replace(anywhere, '')
  // The text around a removed key may now form another, which is in no link of ours. Removing it could form a third.
  return left.replace(prefixOfKey, 'smm-')
}

/** The media key in the URL of a request. */
export const mediaKeyIn = (url: string): string | undefined => /[?&]key=(smm_[\w-]{32})(?:&|$)/.exec(url)?.[1]
