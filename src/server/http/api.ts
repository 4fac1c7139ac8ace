import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { OrganizerAccess, OwnAccess } from '../../contract/access.ts'
import {
  type Data,
  type JsonOperationName,
  type JsonWriteName,
  type OperationName,
  type Operations,
  operationsIn,
} from '../../contract/index.ts'
import { routePathOf } from '../../contract/operation.ts'
import { readBrowserCookie } from '../auth/cookies.ts'
import type { Identification } from '../auth/identify.ts'
import { assertMayUse, mayUse } from '../auth/policies.ts'
import type { Context } from '../context.ts'
import type { InputWithIds } from '../core/ids.ts'
import { type Principal, type Viewer, visitor } from '../core/principal.ts'
import type { Versioned } from '../log/changes/freshness.ts'
import type { CachedOperationName, Dependency, Handlers } from '../operation.ts'
import { openScope, type Scope } from '../scope.ts'
import type { ReportDamage } from '../storage/blobs/damaged-blob.ts'
import type { Position } from '../storage/db/open.ts'
import type { Db } from '../storage/db/tables.ts'
import { createAuthorization } from './authorize.ts'
import { BodyBudget } from './budgets/body-budget.ts'
import { ResponseBudget } from './budgets/response-budget.ts'
import { WriteBudget } from './budgets/write-budget.ts'
import { ResponseCache } from './cache/response-cache.ts'
import { createHandler, readAndWrite, readPersonal, type Services, viewerOf } from './handlers.ts'
import { limitsOf, readBody } from './request/body.ts'
import type { BoundOperation } from './request/bound-operation.ts'
import { createClientReader, createNetworkReader, createProxyDetector } from './request/client.ts'
import { pageForm } from './request/form.ts'
import { createPathReader, type ReadForm } from './request/input.ts'
import { compileChecks } from './request/validate.ts'
import { mountUnknownRoutes } from './unknown-routes.ts'
import type { WriteResult } from './write.ts'

/** Services that the operations share with the rest of the process. */
export interface ApiServices extends Identification {
  reportDamage: ReportDamage
  sendMail: Services['sendMail']
}

/** Runs operations for other routes: with the checks of the API, in the same transactions. */
export interface OperationRunner {
  /** A hook that checks a request as if it were one to this operation. */
  authorize(name: OperationName): onRequestHookHandler
  /** Whether a sender may use an operation. */
  mayUse(name: OperationName, principal: Principal): boolean
  /** Opens reads for what somebody of this audience sees. @param position of the log before the state that `db` shows */
  openReader(viewer: Omit<Viewer, 'mediaKey'>, db: Db, position: Position): Reader
  /** Reads what is for the sender of the request only. @throws Failure FORBIDDEN; the failures of the operation */
  read<N extends PersonalReadName>(name: N, request: FastifyRequest, input: InputWithIds<N>): Promise<Data<N>>
  /**
   * Reads the body of the request, and executes the write. The names of parameters in the route are those of the
   * operation.
   * @param readForm converts the fields of a form to the members of the operation; by default, they are the same
   */
  write(name: JsonWriteName, request: FastifyRequest, reply: FastifyReply, readForm?: ReadForm): Promise<WriteResult>
  /** Reads the fields of a form whose sender may not use its operation, so that they can be sent again. Files are discarded. */
  readFields(request: FastifyRequest): Promise<Readonly<Record<string, unknown>>>
  /** Of the responses of all routes. */
  readonly budget: ResponseBudget
}

/**
 * What nearly every page needs, and takes longer to read than all else on a page: the program, and for editors the draft.
 * It stays in memory until it changes. What it says is the same for all who may read it, but for the base and key of links.
 */
interface Whole {
  readonly name: 'getSchedule' | 'getDraft'
  readonly dependencies: readonly Dependency[]
  readonly stored: LRUCache<string, Versioned & { data: Promise<object> }>
}

/** Without PUBLIC_URL a server has a few base URLs, such as that of its machine and of its address. */
const maxStored = 4

const createWhole = (name: Whole['name'], dependencies: readonly Dependency[]): Whole => ({
  name,
  dependencies,
  stored: new LRUCache({ max: maxStored }),
})

const isWhole = (whole: Whole, name: OperationName, input: object): boolean =>
  name === whole.name && Object.keys(input).length === 0

/** Reads what the API would read to an audience, from one state. */
export interface Reader {
  /** @throws Failure UNAUTHENTICATED, FORBIDDEN for what is not for the audience; the failures of the operation */
  read<N extends ReadName>(name: N, input: InputWithIds<N>): Promise<Data<N>>
  /** What all that was read depends on. */
  readonly dependencies: ReadonlySet<Dependency>
}

/** Reads for all of an audience. */
type ReadName = CachedOperationName | 'searchProgram' | 'searchParticipants'

/** Reads about the sender of the request, and for organizers. */
export type PersonalReadName = {
  [N in JsonOperationName]: Operations[N] extends { method: 'GET'; access: OwnAccess | OrganizerAccess } ? N : never
}[JsonOperationName]

/**
 * Mounts a route for every operation of the contract. Each request is checked in this order: route, expectation, host
 * and origin, announced size, identity, access, budget of writes, body, fields, existence. `app.ts` turns an error into a failure
 * response.
 */
export function mountApi(
  app: FastifyInstance,
  ctx: Context,
  { freshness, principals, reportDamage, mediaKeys, sendMail }: ApiServices,
  handlers: Handlers<OperationName>,
): OperationRunner {
  const operationsByName = bindOperations(ctx, handlers)
  const readClient = createClientReader(ctx.config.trustedProxies)
  const readNetwork = createNetworkReader(ctx.config.trustedProxies)
  const warnOfProxy = createProxyWarning(app, ctx.config.trustedProxies)
  const budget = new ResponseBudget(readClient)
  const services: Services = {
    cache: new ResponseCache({
      database: ctx.database,
      freshness,
      signatureKey: ctx.signatureKey,
      maxBytes: ctx.config.pageCacheBytes,
      budget,
      clock: ctx.clock,
      read: (key, db) => operationsByName[key.name].handler(openScope(ctx, db, key), key.input),
      // Each handler is typed by its operation; a lookup by name cannot be.
      dependenciesOf: ({ name, input }, data) => handlers[name].dependsOn(input as never, data as never),
    }),
    freshness,
    bodyBudget: new BodyBudget(ctx.config.limits),
    readPath: createPathReader(),
    keysInFlight: new Set(),
    writeBudget: new WriteBudget(ctx.config, ctx.clock),
    budget,
    reportDamage,
    log: app.log,
    readClient: (request) => {
      warnOfProxy(request)
      return { browser: readBrowserCookie(request), network: readNetwork(request) }
    },
    keyAfterSignIn: async () => (await mediaKeys?.keyFor('participant', await freshness.refresh())) ?? '',
    sendMail,
  }
  const wholeProgram = createWhole('getSchedule', ['program'])
  const wholeDraft = createWhole('getDraft', ['program', 'drafts'])
  /** @param key tells links apart @param position of the log before the state that `db` shows */
  const readWhole = (whole: Whole, key: string, scope: Scope, position: Position): Promise<object> => {
    const { name, dependencies, stored } = whole
    const known = stored.get(key)
    if (known && freshness.isFresh(known)) return known.data
    const { database, config } = ctx
    // Others may wait for it once it is being read, and has what it needs of the database.
    if (scope.db === database.read) return database.snapshot((db) => readWhole(whole, key, { ...scope, db }, position))
    const data = operationsByName[name].handler(scope, {})
    if (config.pageCacheBytes === 0) return data
    const started = { dependencies, position, data }
    stored.set(key, started)
    data.catch(() => {
      if (stored.peek(key) === started) stored.delete(key)
    })
    return data
  }
  const readDraft = async (viewer: Viewer): Promise<object> => {
    // Of now: the request may have written since it was authorized.
    const position = await freshness.refresh()
    const key = `${viewer.baseUrl} ${viewer.mediaKey}`
    return readWhole(wholeDraft, key, openScope(ctx, ctx.database.read, viewer), position)
  }
  const openReader: OperationRunner['openReader'] = ({ audience, baseUrl }, db, position) => {
    const scope = openScope(ctx, db, { audience, baseUrl, mediaKey: '' })
    const dependencies = new Set<Dependency>()
    return {
      dependencies,
      async read(name, input) {
        const { operation, handler, isCached } = operationsByName[name]
        assertMayUse(operation, { ...visitor, audience }, ctx.config.access)
        const data = await (isWhole(wholeProgram, name, input)
          ? readWhole(wholeProgram, baseUrl, scope, position)
          : handler(scope, input))
        const { dependsOn } = handlers[name] as { dependsOn(input: object, data: object): Dependency[] }
        if (isCached) for (const dependency of dependsOn(input, data)) dependencies.add(dependency)
        // The data of an operation are typed by its name; those of a lookup cannot be.
        return data as Data<typeof name>
      },
    }
  }
  const authorize = createAuthorization(app, ctx, { freshness, principals, mediaKeys }, services.writeBudget)
  for (const bound of Object.values(operationsByName))
    app.route({
      // Fastify's own HEAD routes would report a wrong length for bytes.
      method: bound.operation.method === 'GET' ? ['GET', 'HEAD'] : bound.operation.method,
      exposeHeadRoute: false,
      url: routePathOf(bound.operation.path),
      onRequest: authorize(bound),
      handler: createHandler(bound, services),
    })
  mountUnknownRoutes(app, ctx.config.access)
  return {
    budget,
    authorize: (name) => authorize(operationsByName[name]),
    // Nobody may use an operation that this mode of access does not have.
    mayUse: (name, principal) =>
      name in operationsByName && mayUse(operationsByName[name].operation, principal, ctx.config.access),
    openReader,
    read: async (name, request, input) => {
      const bound = operationsByName[name]
      assertMayUse(bound.operation, request.principal, ctx.config.access)
      const data = isWhole(wholeDraft, name, input) ? readDraft(viewerOf(request)) : readPersonal(bound, input, request)
      // The data of an operation are typed by its name; those of a lookup cannot be.
      return (await data) as Data<typeof name>
    },
    write: (name, request, reply, readForm) =>
      readAndWrite(operationsByName[name], request, reply, { ...services, readForm }),
    readFields: async ({ raw }) => {
      const { bodyBudget } = services
      const { members = {} } = await readBody(
        raw,
        undefined,
        ctx.config.limits,
        bodyBudget,
        undefined,
        pageForm,
        () => {},
      )
      return members
    },
  }
}

/** Creates a function that says once that a request has come from a proxy which is not trusted. */
function createProxyWarning(app: FastifyInstance, trustedProxies: readonly string[]) {
  const isOfUntrustedProxy = createProxyDetector(trustedProxies)
  let hasWarned = false
  return (request: IncomingMessage): void => {
    if (hasWarned || !isOfUntrustedProxy(request)) return
    hasWarned = true
    app.log.warn(
      'a request has X-Forwarded-For and comes from this machine or a private network: if that is your proxy, add its ' +
        'address to TRUSTED_PROXIES; until then all its clients count as one',
    )
  }
}

/** The parts that routes may give instead of a function, or besides it. */
type GivenHandlers = Pick<BoundOperation, 'prepare' | 'replayRead' | 'readOwn'> &
  Record<'read' | 'write', BoundOperation['handler']> & { dependsOn: unknown }

function bindOperations(ctx: Context, handlers: Handlers<OperationName>): Record<OperationName, BoundOperation> {
  const bound = operationsIn(ctx.config.access).map(([name, operation]) => {
    // Each handler is typed by its operation; a lookup by name cannot be.
    const given = handlers[name] as BoundOperation['handler'] & Partial<GivenHandlers>
    const { prepare, replayRead } = given
    const handler = given.read ?? given.write ?? given
    const isCached = given.dependsOn !== undefined
    const readOwn = ctx.config.feedbackReaders === 'organizers' ? given.readOwn : undefined
    const checks = compileChecks(operation, ctx.config.limits)
    const role = 'role' in operation.access ? operation.access.role : 'owner'
    const limits = limitsOf(operation, ctx.config.limits)
    return [name, { ctx, name, operation, handler, readOwn, prepare, replayRead, isCached, checks, limits, role }]
  })
  return Object.fromEntries(bound)
}
