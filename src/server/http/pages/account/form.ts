import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { JsonWriteName } from '../../../../contract/index.ts'
import type { Failure } from '../../../core/failure.ts'
import { logIfLate } from '../../response/failures.ts'
import { failWith, redirect } from '../page.ts'
import type { AccountPages } from './account-page.ts'

interface Form {
  /** Its parameters are those of the operation. */
  path: string
  operation: JsonWriteName
  /** The path of the next page, below the base. */
  next: string | ((request: FastifyRequest, data: unknown) => string)
  /** Sends a page with the failure. */
  onFailure: (failure: Failure, reply: FastifyReply) => Promise<FastifyReply>
}

/** Mounts a form, which runs an operation as the API does, and then shows another page. */
export function mountForm(
  app: FastifyInstance,
  { runner, base }: AccountPages,
  { path, operation, next, onFailure }: Form,
): void {
  app.post(path, {
    onRequest: runner.authorize(operation),
    errorHandler: failWith(onFailure),
    handler: async (request, reply) => {
      try {
        const { cookies, responseCode, dataText } = await runner.write(operation, request, reply)
        request.responseCode = responseCode
        return redirect(reply, base + (typeof next === 'string' ? next : next(request, JSON.parse(dataText))), cookies)
      } catch (error) {
        return logIfLate(error, request, reply)
      }
    },
  })
}
