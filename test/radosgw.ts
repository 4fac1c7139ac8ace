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
import { findProgram } from './find-program.ts'
import { freePort } from './free-port.ts'

const run = promisify(execFile)

/** Starting takes one to six seconds on an idle machine. */
const startTimeoutMs = 40_000

/** Kills the started process when the test process is killed. */
const wrapper = { program: 'setpriv', args: ['--pdeathsig', 'KILL'] }

const programs = ['ceph', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin', wrapper.program]

/** Why no S3 server is available, or undefined. */
export const radosgwMissing: string | undefined = ((): string | undefined => {
  const missing = programs.filter((program) => findProgram(program) === undefined)
  if (missing.length === 0) return undefined
  return `no S3 to test against: ${missing.join(', ')} not installed (Debian: apt-get install radosgw ceph-mon ceph-osd)`
})()

/** An empty S3 server, stopped when the test ends (`await using`). */
export interface Radosgw extends AsyncDisposable {
  /** Base URL, with the port of 127.0.0.1. */
  url: string
  port: number
  accessKeyId: string
  secretAccessKey: string
  createBucket(name: string): Promise<void>
}

/**
 * Starts the S3 gateway of Ceph with a minimal cluster: one monitor and one object store in memory, without
 * authentication between them. It listens on loopback and writes to a temporary folder.
 * @throws Error with the output of its processes
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
    const output = await readFile(join(dir, 'output'), 'utf8').catch(() => '')
    await stop()
    throw new Error(`radosgw does not start\n${output.slice(-4_000)}`, { cause: error })
  }
}

async function start(dir: string, children: ChildProcess[]): Promise<Omit<Radosgw, keyof AsyncDisposable>> {
  const exited = new AbortController()
  const deadline = AbortSignal.any([AbortSignal.timeout(startTimeoutMs), exited.signal])
  const [monitorPort, port] = await Promise.all([freePort(), freePort()])
  const conf = join(dir, 'ceph.conf')
  const fsid = randomUUID()
  const map = join(dir, 'monmap')
  await writeFile(conf, configuration(dir, map, fsid))
  await Promise.all([mkdir(join(dir, 'mon')), mkdir(join(dir, 'osd'))])
  const output = createWriteStream(join(dir, 'output'), { flags: 'a' })
  await once(output, 'open')
  // A request for the configuration is refused if the monitor does not know the id of the cluster yet.
  const env = { PATH: process.env.PATH, CEPH_ARGS: '--no-mon-config' }
  const command = async (program: string, ...args: string[]) =>
    run(program, ['-c', conf, ...args], { env, signal: deadline, maxBuffer: 2 ** 24 })
  const daemon = (program: string, ...args: string[]) => {
    const child = spawn(wrapper.program, [...wrapper.args, program, '-f', '-c', conf, ...args], {
      env,
      stdio: ['ignore', output, output],
    })
    child.once('exit', () => exited.abort(new Error(`${program} exited`)))
    children.push(child)
  }

  await command('monmaptool', '--create', '--fsid', fsid, '--addv', 'a', `[v1:127.0.0.1:${monitorPort}]`, map)
  await command('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map)
  daemon('ceph-mon', '-i', 'a')
  const osd = randomUUID()
  const register = () => command('ceph', 'osd', 'new', osd)
  // This command requests the configuration all the same. It can be repeated.
  await register().catch(register).catch(register)
  await command('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd)
  daemon('ceph-osd', '-i', '0')
  const accessKeyId = randomBytes(10).toString('hex')
  const secretAccessKey = randomBytes(20).toString('hex')
  const keys = [`--access-key=${accessKeyId}`, `--secret-key=${secretAccessKey}`]
  await command('radosgw-admin', 'user', 'create', '--uid=summit', '--display-name=Summit', ...keys)
  daemon('radosgw', '-n', 'client.gateway', '--rgw-frontends', `beast endpoint=127.0.0.1:${port}`)
  const url = `http://127.0.0.1:${port}`
  await waitForResponse(url, deadline)

  const createBucket = async (name: string) => {
    const credentials = { accessKeyId, secretAccessKey }
    const client = new S3Client({ endpoint: url, region: 'us-east-1', forcePathStyle: true, credentials })
    await client.send(new CreateBucketCommand({ Bucket: name }))
    client.destroy()
  }
  return { url, port, accessKeyId, secretAccessKey, createBucket }
}

/** One copy of each object, no authentication, no delays for a quorum of monitors. */
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

async function waitForResponse(url: string, deadline: AbortSignal): Promise<void> {
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
