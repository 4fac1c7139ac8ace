import type { ClientBase } from 'pg'
import { singleRow } from '../prepared.ts'

/**
 * Initializes a new connection in one round trip. Makes acknowledged writes durable, even if the database is configured
 * otherwise, and reads whether the server is a standby, and its epoch. A new epoch begins when the server starts, as a
 * promoted or restored server does, and with a new database.
 */
const initialization = `
  select
    pg_is_in_recovery() as is_standby,
    concat_ws(' ', extract(epoch from pg_postmaster_start_time()), oid) as epoch,
    case when current_setting('synchronous_commit') = 'off' then set_config('synchronous_commit', 'on', false) end
  from pg_database where datname = current_database()`

/**
 * Tracks which server the address of the database leads to. After a failover that is another one, which may lack the
 * newest writes and reuse their ids.
 */
export class CurrentServer {
  readonly #epochs = new WeakMap<ClientBase, string>()
  #newest = ''

  /** Initializes a connection. @throws Error when the server is a standby, which is read-only and may lag behind */
  async initialize(client: ClientBase): Promise<void> {
    const { rows } = await client.query<{ is_standby: boolean; epoch: string }>(initialization)
    const { is_standby, epoch } = singleRow(rows)
    if (is_standby) throw new Error('The server is a standby')
    this.#epochs.set(client, epoch)
    this.#newest = epoch
  }

  /**
   * The epoch of the database that a connection leads to. Undefined when a newer connection led to another server: the
   * old one may still respond, but does not have the writes made there.
   */
  epochOf(client: ClientBase): string | undefined {
    const epoch = this.#epochs.get(client)
    return epoch === this.#newest ? epoch : undefined
  }
}
