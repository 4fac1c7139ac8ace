/** A group of principals that see the same responses; a cached response belongs to an audience, never to a person. */
export type Audience = 'public'

/** The sender of a request. */
export interface Principal {
  readonly audience: Audience
}

/** The sender of a request without credentials, which is every request while `ACCESS` is `open`. */
export const anonymous: Principal = { audience: 'public' }
