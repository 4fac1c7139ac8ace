/** The parts of oidc-provider that the tests use; it has no types of its own. */
declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  export function createMemoryAdapter(clockTolerance: number): unknown
}

declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  interface Context {
    oidc: { client: { clientId: string }; session: { accountId: string } }
  }

  export default class Provider {
    /** Whether `X-Forwarded-*` is trusted. */
    proxy: boolean
    readonly Grant: new (options: {
      clientId: string
      accountId: string
    }) => Grant
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  }

  export type { Context }
}
