/** Who sees what alike: a cached response belongs to one audience, never to a person. */
export type Audience = 'public'

/** Who sends a request. */
export interface Principal {
  readonly audience: Audience
}

/** A request without credentials; as long as `ACCESS` is `open`, every request is one. */
export const anonymous: Principal = { audience: 'public' }
