import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { freePort } from './free-port.ts'
import { installed } from './installed.ts'

const run = promisify(execFile)

/** Its start takes about one to six seconds on an idle machine. */
const startMs = 40_000

/** Should the test's process be killed, what this starts goes with it. */
const endsWithUs = { program: 'setpriv', args: ['--pdeathsig', 'KILL'] }

const programs = ['ceph', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin', endsWithUs.program]

/** Why there can be no S3 to test against, or undefined when there can. */
export const radosgwMissing: string | undefined = ((): string | undefined => {
  const missing = programs.filter((program) => installed(program) === undefined)
  if (missing.length === 0) return undefined
  return `no S3 to test against: ${missing.join(', ')} not installed (Debian: apt-get install radosgw ceph-mon ceph-osd)`
})()

/** A real S3 of our own, with nothing in it; gone, with all its processes, when the test ends (`await using`). */
export interface Radosgw extends AsyncDisposable {
  /** Base URL, and port of 127.0.0.1. */
  url: string
  port: number
  accessKeyId: string
  secretAccessKey: string
  createBucket(name: string): Promise<void>
}

/**
 * Starts Ceph's S3 gateway on the least Ceph that it works with: one monitor, and one store that keeps all in memory,
 * without authentication between them. It listens on loopback only and writes into a temporary folder only.
 * @throws Error with what its parts said
 */
export async function startRadosgw(): Promise<Radosgw> {
  const dir = await mkdtemp(join(tmpdir(), 'summit-radosgw-'))
  const children: ChildProcess[] = []
  const stop = async () => {
    for (const child of children.reverse()) await kill(child)
    await rm(dir, { recursive: true, force: true })
  }
  try {
    return { ...(await start(dir, children)), [Symbol.asyncDispose]: stop }
  } catch (error) {
    const said = await readFile(join(dir, 'said'), 'utf8').catch(() => '')
    await stop()
    throw new Error(`radosgw does not start\n${said.slice(-4_000)}`, { cause: error })
  }
}

async function start(dir: string, children: ChildProcess[]): Promise<Omit<Radosgw, keyof AsyncDisposable>> {
  const ended = new AbortController()
  const deadline = AbortSignal.any([AbortSignal.timeout(startMs), ended.signal])
  const [monitorPort, port] = await Promise.all([freePort(), freePort()])
  const conf = join(dir, 'ceph.conf')
  const fsid = randomUUID()
  const map = join(dir, 'monmap')
  await writeFile(conf, configuration(dir, map, fsid))
  await Promise.all([mkdir(join(dir, 'mon')), mkdir(join(dir, 'osd'))])
  const said = createWriteStream(join(dir, 'said'), { flags: 'a' })
  await once(said, 'open')
  // Who asks the monitor for its configuration first may speak before it knows the cluster's id, and is refused then.
  const env = { PATH: process.env.PATH, CEPH_ARGS: '--no-mon-config' }
  const command = async (program: string, ...args: string[]) =>
    run(program, ['-c', conf, ...args], { env, signal: deadline, maxBuffer: 2 ** 24 })
  const daemon = (program: string, ...args: string[]) => {
    const child = spawn(endsWithUs.program, [...endsWithUs.args, program, '-f', '-c', conf, ...args], {
      env,
      stdio: ['ignore', said, said],
    })
    child.once('exit', () => ended.abort(new Error(`${program} ended`)))
    children.push(child)
  }

  await command('monmaptool', '--create', '--fsid', fsid, '--addv', 'a', `[v1:127.0.0.1:${monitorPort}]`, map)
  await command('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map)
  daemon('ceph-mon', '-i', 'a')
  const osd = randomUUID()
  const register = () => command('ceph', 'osd', 'new', osd)
  // This one asks in spite of what it is told; saying it again does no harm.
  await register().catch(register).catch(register)
  await command('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd)
  daemon('ceph-osd', '-i', '0')
  const accessKeyId = randomBytes(10).toString('hex')
  const secretAccessKey = randomBytes(20).toString('hex')
  const keys = [`--access-key=${accessKeyId}`, `--secret-key=${secretAccessKey}`]
  await command('radosgw-admin', 'user', 'create', '--uid=summit', '--display-name=Summit', ...keys)
  daemon('radosgw', '-n', 'client.gateway', '--rgw-frontends', `beast endpoint=127.0.0.1:${port}`)
  const url = `http://127.0.0.1:${port}`
  await answering(url, deadline)

  const createBucket = async (name: string) => {
    const credentials = { accessKeyId, secretAccessKey }
    const client = new S3Client({ endpoint: url, region: 'us-east-1', forcePathStyle: true, credentials })
    await client.send(new CreateBucketCommand({ Bucket: name }))
    client.destroy()
  }
  return { url, port, accessKeyId, secretAccessKey, createBucket }
}

/** One copy of everything, no authentication, no waiting of the monitor for others to agree with. */
const configuration = (dir: string, map: string, fsid: string) => `[global]
fsid = ${fsid}
monmap = ${map}
public addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
ms bind msgr2 = false
ms bind port min = 20000
ms bind port max = 29999
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
mon allow pool size one = true
osd crush chooseleaf type = 0
paxos propose interval = 0.02
paxos min wait = 0.01
mon data = ${dir}/mon
osd data = ${dir}/osd
osd objectstore = memstore
memstore device bytes = 1073741824
run dir = ${dir}
admin socket =
pid file =
log file = ${dir}/$name.log
rgw thread pool size = 32
rgw dynamic resharding = false
rgw enable gc threads = false
rgw enable lc threads = false
rgw enable quota threads = false
`

async function answering(url: string, deadline: AbortSignal): Promise<void> {
  for (;;) {
    const response = await fetch(url, { signal: deadline }).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.ok) return
    await sleep(20, undefined, { signal: deadline })
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
