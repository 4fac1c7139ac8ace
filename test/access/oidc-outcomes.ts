import { expect } from 'vitest'
import type { Browser } from './browser.ts'
import { alertIn } from './oidc.ts'

// Outcomes of a login in a browser: the HTTP status of the page, and the sentence that it shows.

export const unknownLogin = [400, expect.stringMatching(/was begun in another browser or tab\. Please begin again\.$/)]
export const refused = [403, 'The identity provider did not sign you in.']
export const unreachable = [503, expect.stringMatching(/^The identity provider cannot be reached at the moment\./)]
export const invalid = [502, expect.stringMatching(/^The identity provider sent a response that is not valid/)]
export const notConnected = [403, expect.stringMatching(/^This account does not belong to an organizer yet\./)]
export const notSignedIn = [403, 'To connect an account, sign in as an organizer first, and begin on your own page.']
export const ofAnother = [409, 'This account belongs to another organizer.']
export const anotherConnected = [409, expect.stringMatching(/^You have connected another account already/)]
export const signedInAsAnother = [403, expect.stringMatching(/^Somebody else has signed in in this browser/)]
export const notOwnPage = [403, 'Writes from a web page of another origin are not allowed.']

export const outcomeOf = ({ status, text }: { status: number; text: string }) => [status, alertIn(text)]

const callback = 'https://summit.example/sign-in/oidc/callback'

/** Begins a login in a browser, and stops before the callback. @returns the URL of the callback */
export const goToCallback = async (browser: Browser, path = '/sign-in/oidc'): Promise<URL> =>
  new URL((await browser.submit(path, { until: callback })).url)

/** Visits the callback as after a redirect from the identity provider. */
export const comeBack = async (browser: Browser, url: URL) =>
  outcomeOf(await browser.visit(url.href, { from: 'other site' }))
