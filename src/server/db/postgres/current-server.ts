import type { ClientBase } from 'pg'
import { only } from '../prepared.ts'

/**
 * What is settled on every new connection, in one round trip: that what was acknowledged is on disk, even where the
 * database is set to forgo that; whether the server follows another; and which history it has. That begins when the
 * server starts, as one does that takes the place of another, or that was restored, and with the database.
 */
const greeting = `
  select
    pg_is_in_recovery() as is_standby,
    concat_ws(' ', extract(epoch from pg_postmaster_start_time()), oid) as history,
    case when current_setting('synchronous_commit') = 'off' then set_config('synchronous_commit', 'on', false) end
  from pg_database where datname = current_database()`

/**
 * The server that the address of the database leads to. After a failover that is another one, which may lack the newest
 * writes and give their ids to others.
 */
export class CurrentServer {
  readonly #histories = new WeakMap<ClientBase, string>()
  #newest = ''

  /** Begins a connection. @throws Error when the server is a standby: it takes no writes, and what it tells is old */
  async greet(client: ClientBase): Promise<void> {
    const { rows } = await client.query<{ is_standby: boolean; history: string }>(greeting)
    const { is_standby, history } = only(rows)
    if (is_standby) throw new Error('the server is a standby')
    this.#histories.set(client, history)
    this.#newest = history
  }

  /**
   * The history of the database that a connection sees. Undefined when a later connection led to another server: should
   * this one still answer, it knows nothing of what was written there.
   */
  historyOf(client: ClientBase): string | undefined {
    const history = this.#histories.get(client)
    return history === this.#newest ? history : undefined
  }
}
