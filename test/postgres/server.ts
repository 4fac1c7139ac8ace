import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { appendFile, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from '../free-port.ts'
import { waitUntil } from '../wait-until.ts'
import { type Binaries, chooseBinaries } from './binaries.ts'

const run = promisify(execFile)

/** Fast, and durable enough: no test cuts the power. */
const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '400', unix_socket_directories: '' }

/** PostgreSQL refuses to run as root. */
const nobody = 65_534
const asUser = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}

/** Stops the server when standard input ends, which it does when this process exits for any reason. */
const untilStdinEnds = `exec 3<&0; "$@" & server=$!; (cat <&3 > /dev/null; kill -QUIT $server 2> /dev/null) & wait $server`

interface Options {
  /** By default those of {@link chooseBinaries}. */
  binaries?: Binaries | undefined
  /** The folder in which to create its own, by default that for temporary files. */
  parent?: string | undefined
}

/** A PostgreSQL server in a folder of its own, removed when the test ends (`await using`). */
export class PostgresServer implements AsyncDisposable {
  readonly #binaries: Binaries
  readonly #dir: string
  readonly #port: number
  #child: ChildProcess | undefined

  private constructor(dir: string, port: number, binaries: Binaries) {
    this.#dir = dir
    this.#port = port
    this.#binaries = binaries
  }

  get version(): string {
    return this.#binaries.version
  }

  get port(): number {
    return this.#port
  }

  /** Creates a server and starts it. */
  static async start({ binaries, parent = tmpdir() }: Options = {}): Promise<PostgresServer> {
    const dir = await mkdtemp(join(parent, 'summit-postgres-'))
    try {
      const chosen = binaries ?? (await chooseBinaries(dir))
      const data = join(dir, 'data')
      await mkdir(data, { mode: 0o700 })
      if (asUser.uid !== undefined) for (const path of [dir, data]) await chown(path, asUser.uid, asUser.gid)
      const options = ['--username=summit', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
      // Avoids a slow search for the time zone of the machine.
      const env = { ...process.env, TZ: 'UTC' }
      await run(join(chosen.folder, 'initdb'), ['-D', data, ...options], { ...asUser, cwd: dir, env })
      const server = new PostgresServer(dir, await freePort(), chosen)
      await server.up()
      return server
    } catch (error) {
      await rm(dir, { recursive: true, force: true })
      throw error
    }
  }

  /** Creates and starts a standby of this server, which is restarted. */
  async standby(): Promise<PostgresServer> {
    const dir = await mkdtemp(join(tmpdir(), 'summit-standby-'))
    if (asUser.uid !== undefined) await chown(dir, asUser.uid, asUser.gid)
    const data = join(dir, 'data')
    await this.down()
    await run('cp', ['-a', join(this.#dir, 'data'), data])
    await this.up()
    await writeFile(join(data, 'standby.signal'), '')
    const primary = `primary_conninfo = 'host=127.0.0.1 port=${this.#port} user=summit'`
    await appendFile(join(data, 'postgresql.auto.conf'), `${primary}\n`)
    const standby = new PostgresServer(dir, await freePort(), this.#binaries)
    await standby.up()
    return standby
  }

  /** Promotes a standby to a primary. */
  async promote(): Promise<void> {
    await this.query('select pg_promote()')
  }

  url(database = 'postgres'): string {
    return `postgres://summit@127.0.0.1:${this.#port}/${database}`
  }

  /** Runs statements as administrator. */
  async query(statements: string, database?: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client(this.url(database))
    await client.connect()
    try {
      return (await client.query(statements)).rows
    } finally {
      await client.end()
    }
  }

  /** Starts it and waits until it responds. */
  async up(): Promise<void> {
    const postgres = [join(this.#binaries.folder, 'postgres'), '-D', join(this.#dir, 'data'), '-p', String(this.#port)]
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    // In a session of its own it does not get the signals of the terminal.
    const child = spawn('sh', ['-c', untilStdinEnds, 'sh', ...postgres, '-h', '127.0.0.1', ...options], {
      ...asUser,
      cwd: this.#dir,
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    child.unref()
    let log = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-4_000)
    })
    this.#child = child
    const isUp = () => {
      if (child.exitCode !== null) throw new Error('it exited')
      return this.#isReady()
    }
    await waitUntil('PostgreSQL is ready', isUp).catch((cause: unknown) => {
      throw new Error(`PostgreSQL did not start: ${log}`, { cause })
    })
  }

  /** SIGINT disconnects all clients and shuts down cleanly. SIGQUIT crashes. */
  async #signal(signal: NodeJS.Signals): Promise<void> {
    process.kill(await this.#pid(), signal)
  }

  /** Stops it and waits for its exit. */
  async down(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (!child) return
    child.ref()
    const exited = new Promise((resolve) => child.once('exit', resolve))
    await this.#signal(signal)
    await exited
    child.stdin?.end()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.down('SIGQUIT')
    await rm(this.#dir, { recursive: true, force: true })
  }

  async #pid(): Promise<number> {
    return Number((await readFile(join(this.#dir, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])
  }

  async #isReady(): Promise<boolean> {
    return this.query('select 1').then(
      () => true,
      () => false,
    )
  }
}
