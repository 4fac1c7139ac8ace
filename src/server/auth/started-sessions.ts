import { keyOfHolder } from '../log/idempotency/stored-responses.ts'
import type { WriteScope } from '../scope.ts'
import { findUsableById, type UsableCredential } from './credential-store.ts'
import { hashSecret } from './secret.ts'

/** How long a request that started a session may be repeated, because its response was lost with the cookie. */
const retryMs = 60_000

type Request = Pick<WriteScope, 'db' | 'now' | 'idempotencyKey' | 'userAgent'>

const keyOf = (secret: string, { idempotencyKey, userAgent }: Request): string | undefined =>
  idempotencyKey === undefined
    ? undefined
    : keyOfHolder('session', hashSecret(JSON.stringify([secret, idempotencyKey, userAgent])))

/** Finds the session that this request, with the same secret, `Idempotency-Key` and browser, has started before. */
export async function findSessionStarted(request: Request, secret: string): Promise<UsableCredential | undefined> {
  const { db, now } = request
  const key = keyOf(secret, request)
  if (key === undefined) return undefined
  const stored = db
    .selectFrom('idempotency')
    .select('data')
    .where('key', '=', key)
    .where('created_at', '>', now - retryMs)
    .where('created_at', '<', now + retryMs)
  // Another retry may end the session, and start one, between the two queries.
  for (let ended = ''; ; ) {
    const row = await stored.executeTakeFirst()
    if (!row || row.data === ended) return undefined
    const session = await findUsableById(db, Number(row.data))
    if (session) return session
    ended = row.data
  }
}

/** Stores which session a request has started, or has started again. */
export async function storeSessionStarted(request: Request, secret: string, session: number): Promise<void> {
  const key = keyOf(secret, request)
  if (key === undefined) return
  const data = String(session)
  await request.db
    .insertInto('idempotency')
    .values({ key, fingerprint: '', response_code: 0, data, created_at: request.now })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ data }))
    .execute()
}
