import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { operations } from '../../contract/index.ts'
import type { Operation } from '../../contract/operation.ts'
import { Failure } from '../core/failure.ts'
import { routedPath } from './request/path.ts'

const all = Object.values(operations) as Operation[]

/** The methods that operations use. All others are left to {@link sendNotFound}, since each route slows the start. */
const routedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']

const countParameters = (path: string): number => path.split('{').length

/** The paths of the contract; where a request matches several, the one with fewer parameters comes first. */
const templates = [...new Set(all.map(({ path }) => path))].sort((a, b) => countParameters(a) - countParameters(b))
const paths = templates.map((path) => {
  const methods: string[] = all.filter((operation) => templatePattern(operation).test(path)).map(({ method }) => method)
  const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`)
  return { path, pattern, allowed: methods.includes('GET') ? [...methods, 'HEAD'] : methods }
})

/** Rejects the other methods of each path, even if a path with parameters would match. */
export function mountMethodNotAllowed(app: FastifyInstance): void {
  for (const { path, allowed } of paths)
    app.route({
      method: routedMethods.filter((method) => !allowed.includes(method)),
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      exposeHeadRoute: false,
      handler: (_request, reply) => rejectMethod(reply, allowed),
    })
}

/**
 * Handles requests without a route.
 * @throws Failure METHOD_NOT_ALLOWED for a path of the contract, else NO_SUCH_ROUTE
 */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply): never {
  const path = routedPath(request.url)
  const found = routedMethods.includes(request.method) ? undefined : paths.find(({ pattern }) => pattern.test(path))
  if (found) rejectMethod(reply, found.allowed)
  throw new Failure('NO_SUCH_ROUTE')
}

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
