import type { FastifyInstance, FastifyReply } from 'fastify'
import Type from 'typebox'
import type { AccessMode } from '../../contract/access.ts'
import { operationsIn } from '../../contract/index.ts'
import { type Operation, routePathOf } from '../../contract/operation.ts'
import { Failure } from '../core/failure.ts'
import { routedPath } from './request/path.ts'

interface KnownPath {
  path: string
  pattern: RegExp
  /** The methods of its operations. */
  allowed: string[]
  /** Methods without an operation here, whose requests a route with parameters would otherwise serve. */
  rejected: string[]
}

/**
 * Rejects requests without a route: METHOD_NOT_ALLOWED for a path of the contract, even if a path with parameters would
 * match, else NO_SUCH_ROUTE.
 */
export function mountUnknownRoutes(app: FastifyInstance, mode: AccessMode): void {
  const paths = pathsOf(operationsIn(mode).map(([, operation]) => operation))
  for (const { path, allowed, rejected } of paths)
    if (rejected.length > 0)
      app.route({
        method: rejected,
        url: routePathOf(path),
        exposeHeadRoute: false,
        handler: (_request, reply) => rejectMethod(reply, allowed),
      })
  app.setNotFoundHandler((request, reply) => {
    const path = routedPath(request.url)
    const found = paths.find(({ pattern }) => pattern.test(path))
    if (found) rejectMethod(reply, found.allowed)
    throw new Failure('NO_SUCH_ROUTE')
  })
}

/** The paths of operations; where a request matches several, the one with fewer parameters comes first. */
function pathsOf(all: readonly Operation[]): KnownPath[] {
  const templates = [...new Set(all.map(({ path }) => path))]
  const operations = all.map((operation) => ({
    method: operation.method,
    length: countSegments(operation.path),
    servedPaths: templatePattern(operation),
    routedPaths: pathPattern(operation.path),
  }))
  // Only templates of the same length can match each other.
  const byLength = Map.groupBy(operations, ({ length }) => length)
  return templates
    .sort((a, b) => countParameters(a) - countParameters(b))
    .map((path) => {
      const others = byLength.get(countSegments(path)) ?? []
      const allowed = methodsOf(others.filter(({ servedPaths }) => servedPaths.test(path)))
      const routed = methodsOf(others.filter(({ routedPaths }) => routedPaths.test(path)))
      const rejected = routed.filter((method) => !allowed.includes(method))
      return { path, pattern: pathPattern(path), allowed, rejected }
    })
}

function methodsOf(operations: Pick<Operation, 'method'>[]): string[] {
  const methods = new Set<string>(operations.map(({ method }) => method))
  if (methods.has('GET')) methods.add('HEAD')
  return [...methods]
}

/** Matches the paths of a template, and other templates: a parameter matches any segment, even `{id}`. */
const pathPattern = (template: string): RegExp => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}/?$`)

const countSegments = (path: string): number => path.split('/').length

const countParameters = (path: string): number => path.split('{').length

function rejectMethod(reply: FastifyReply, allowed: string[]): never {
  reply.header('allow', allowed.join(', '))
  throw new Failure('METHOD_NOT_ALLOWED')
}

/**
 * Matches the path templates whose requests an operation may also serve: one of its string parameters accepts any
 * literal segment, even `delete`.
 */
function templatePattern({ path, params }: Operation): RegExp {
  const segment = (_: string, name: string) => (Type.IsString(params.properties[name]) ? '[^/]+' : '\\{\\w+\\}')
  return new RegExp(`^${path.replace(/\{(\w+)\}/g, segment)}$`)
}
