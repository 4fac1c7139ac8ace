/** `Cache-Control` where other content has another URL, so that a response may be cached forever (RFC 8246). */
export const immutable = 'public, max-age=31536000, immutable'

/**
 * `Cache-Control` of a response for one person that has an `ETag`: a browser asks each time, as the next one to use it may
 * be somebody else.
 */
export const privateNoCache = 'private, no-cache'

/** `Cache-Control` of a response that only some may see: no cache may store it (RFC 9111, 5.2.2). */
export const privateNoStore = 'private, no-store'
