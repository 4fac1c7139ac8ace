import type { IncomingMessage } from 'node:http'

/** The secrets that stood in the paths of requests. They are never part of a request's URL, which may be logged. */
const secrets = new WeakMap<IncomingMessage, string>()

/**
 * A URL below which a client uses the API as if at `/api`. It may be absolute (RFC 9112, 3.2.2), and slashes may be
 * repeated.
 */
const secretUrl = /^((?:(?:[hH][tT]{2}[pP][sS]?):\/\/[^/?]*)?)\/+k\/+([^/?]+)(\/+api(?:[/?].*)?)$/

/** Removes the secret from the URL `/k/{secret}/api/…` of a request. */
export function takeSecret(request: IncomingMessage): void {
  const [, origin, secret, path] = secretUrl.exec(request.url ?? '') ?? []
  if (secret === undefined) return
  request.url = `${origin}${path}`
  secrets.set(request, secret)
}

/** The secret that {@link takeSecret} found. */
export const takenSecret = (request: IncomingMessage): string | undefined => secrets.get(request)
