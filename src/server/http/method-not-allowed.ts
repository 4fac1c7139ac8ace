import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { operations } from '../../contract/index.ts'
import type { Operation } from '../../contract/operation.ts'
import { Failure } from '../core/failure.ts'
import { pathOfAddress } from './request/path.ts'

const all = Object.values(operations) as Operation[]

/** The methods of operations. Those that no operation has are left to {@link sendNotFound}: routes cost time at start. */
const usual = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']

const parameters = (path: string): number => path.split('{').length

/** The known paths and the methods that each takes; where one may be read as another, the more literal one comes first. */
const paths = [...new Set(all.map(({ path }) => path))].sort((a, b) => parameters(a) - parameters(b))
const known = paths.map((path) => {
  const methods: string[] = all.filter((operation) => patternOf(operation).test(path)).map(({ method }) => method)
  const address = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`)
  return { path, address, allowed: methods.includes('GET') ? [...methods, 'HEAD'] : methods }
})

/** Refuses the other methods of a known path, even where a path of parameters would match it. */
export function mountMethodNotAllowed(app: FastifyInstance): void {
  for (const { path, allowed } of known)
    app.route({
      method: usual.filter((method) => !allowed.includes(method)),
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      exposeHeadRoute: false,
      handler: (_request, reply) => refuse(reply, allowed),
    })
}

/** For requests that have no route. @throws Failure METHOD_NOT_ALLOWED for a known path, else NO_SUCH_ROUTE */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply): never {
  const path = pathOfAddress(request.url)
  const found = usual.includes(request.method) ? undefined : known.find(({ address }) => address.test(path))
  if (found) refuse(reply, found.allowed)
  throw new Failure('NO_SUCH_ROUTE')
}

function refuse(reply: FastifyReply, allowed: string[]): never {
  reply.header('allow', allowed.join(', '))
  throw new Failure('METHOD_NOT_ALLOWED')
}

/** The paths of the contract at which an operation can be asked for: a text in its own may be anything, even `delete`. */
function patternOf({ path, params }: Operation): RegExp {
  const segment = (_: string, name: string) => (Type.IsString(params.properties[name]) ? '[^/]+' : '\\{\\w+\\}')
  return new RegExp(`^${path.replace(/\{(\w+)\}/g, segment)}$`)
}
