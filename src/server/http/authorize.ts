import type { IncomingMessage } from 'node:http'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HookHandlerDoneFunction,
  onRequestHookHandler,
} from 'fastify'
import { identifiesSender, isSpecified } from '../../contract/access.ts'
import type { OperationName } from '../../contract/index.ts'
import { isMedia } from '../../contract/operation.ts'
import {
  createIdentify,
  type Identification,
  identifyNobody,
  type Sender,
  toleratingUnusable,
} from '../auth/identify.ts'
import { assertMayUse } from '../auth/policies.ts'
import { UnusableCredential } from '../auth/principals.ts'
import { takenSecret } from '../auth/secret-in-path.ts'
import { localUrlOf } from '../config/sign-in-url.ts'
import type { Context } from '../context.ts'
import type { Principal } from '../core/principal.ts'
import type { Position } from '../storage/db/open.ts'
import type { WriteBudget } from './budgets/write-budget.ts'
import { assertSize } from './request/body.ts'
import type { BoundOperation } from './request/bound-operation.ts'
import { assertAllowedOrigin } from './request/cross-origin.ts'
import { createBaseUrlReader } from './request/host.ts'
import { assertExpectation } from './request/input.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The base of absolute links. */
    baseUrl: string
    /** Whether the sender is identified, so that the response may depend on them. Undefined without an operation. */
    isIdentified: boolean | undefined
    /** Undefined until the request is identified. */
    principal: Principal
    /** The id of the credential that was sent, also if it cannot be used any more; 0 for none. */
    credential: number
    /** The position of the log, if it was read to identify the principal. */
    position: Position | undefined
    /** See `Viewer`. */
    mediaKey: string
    /** Undefined outside of the contract. */
    operation: OperationName | undefined
  }
}

/**
 * Declares the members of a request that the hooks set.
 * @returns a function that creates the hook of an operation: it checks the headers of a request, and that its sender may
 *   use the operation
 */
export function createAuthorization(
  app: FastifyInstance,
  ctx: Context,
  identification: Identification,
  writeBudget: WriteBudget,
): (bound: BoundOperation) => onRequestHookHandler {
  const identify = createIdentify(ctx, identification)
  const readBaseUrl = createBaseUrlReader(ctx.config)
  /** Anybody chooses the Host of a request, so it is checked only. @throws as `readBaseUrl` */
  const readSignInUrl = (raw: IncomingMessage): string => {
    readBaseUrl(raw)
    return ctx.config.publicUrl ?? localUrlOf(raw.socket.localPort)
  }
  app.decorateRequest('baseUrl', '')
  app.decorateRequest('isIdentified')
  app.decorateRequest('principal')
  app.decorateRequest('credential', 0)
  app.decorateRequest('position')
  app.decorateRequest('mediaKey', '')
  app.decorateRequest('operation')
  return ({ name, operation, limits }) => {
    const isIdentified = identifiesSender(operation.access, ctx.config.access)
    const identifySender = !isIdentified
      ? identifyNobody
      : 'signIn' in operation.access
        ? toleratingUnusable(identify)
        : identify
    const readBase = isSpecified(operation.access) ? readBaseUrl : readSignInUrl
    const acceptsMediaKey = isMedia(operation)
    const authorizeSender = (request: FastifyRequest, reply: FastifyReply, sender: Sender): void => {
      request.principal = sender.principal
      request.position = sender.position
      request.mediaKey = sender.mediaKey
      if (sender.principal.credential !== 0) nameCredential(request, reply, sender.principal.credential)
      assertMayUse(operation, sender.principal, ctx.config.access)
      if (operation.method !== 'GET') writeBudget.spend(operation.access, sender.principal)
    }
    const authorizeLater = async (
      request: FastifyRequest,
      reply: FastifyReply,
      sender: Promise<Sender>,
      done: HookHandlerDoneFunction,
    ): Promise<void> => {
      try {
        authorizeSender(request, reply, await sender)
      } catch (error) {
        if (error instanceof UnusableCredential) nameCredential(request, reply, error.credential)
        return done(error as Error)
      }
      done()
    }
    return (request, reply, done) => {
      request.operation = name
      assertExpectation(request.raw)
      request.isIdentified = isIdentified
      request.baseUrl = readBase(request.raw)
      if (operation.method !== 'GET') assertAllowedOrigin(request.raw, operation.access, ctx.config)
      if (operation.body) assertSize(request.raw, limits)
      const sender = identifySender(request.raw, acceptsMediaKey)
      // Only a request with a credential waits.
      if (sender instanceof Promise) return void authorizeLater(request, reply, sender, done)
      authorizeSender(request, reply, sender)
      done()
    }
  }
}

/** The response header with the id of the credential in the path. */
const credentialHeader = 'summit-credential'

/**
 * Names the credential of a request in our log and, if it was in the path, to the proxy, whose log must not contain
 * that path.
 */
function nameCredential(request: FastifyRequest, reply: FastifyReply, credential: number): void {
  request.credential = credential
  if (takenSecret(request.raw) !== undefined) reply.raw.setHeader(credentialHeader, credential)
}
