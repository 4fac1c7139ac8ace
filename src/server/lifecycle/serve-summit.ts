import { resolve } from 'node:path'
import { initializeSummit } from '../../demo/initialize.ts'
import { type Config, type LoadedConfig, loadConfig } from '../config/config.ts'
import { signInUrlOf } from '../config/sign-in-url.ts'
import type { SettingsOptions } from '../config/sources.ts'
import { describeUntrustedProxy } from '../config/untrusted-proxy.ts'
import type { Context } from '../context.ts'
import { messageOf } from '../core/errors.ts'
import { isLoopback } from '../core/loopback.ts'
import { version } from '../core/version.ts'
import type { LogSink } from '../platform/logging/log-sink.ts'
import { installOutput } from '../platform/logging/process-output.ts'
import { createProcessRegistry } from '../platform/metrics/metrics.ts'
import { describeBackupTarget } from '../storage/blobs/backup-target.ts'
import { findStorageProblem } from './schedules/backup-location.ts'
import { serve } from './serve.ts'
import { type RunningService, serveWithWorkers } from './serve-with-workers.ts'
import { explain } from './start/explain.ts'
import { refuseForeignRoot } from './start/foreign-root.ts'
import { warnIfPicturesFail } from './start/picture-check.ts'
import { offerSetupLink } from './start/setup-link.ts'
import { describeContent, describeLocation } from './start/summit-description.ts'

/** Longer than a request from a busy client takes to arrive, yet a short delay for a shutdown. */
const lingerMs = 500

/** The check of pictures occupies a core for a moment, which the first requests after a restart need more. */
const pictureCheckDelayMs = 2_000

export interface ServeOptions extends SettingsOptions {
  /** Skips the sample summit, even if it is configured. */
  empty?: boolean
}

/**
 * Serves until this process is stopped. If that is impossible, prints the reason and ends the process.
 * @param environment gets the settings of the settings file, for workers and libraries
 */
export async function serveSummit(environment: NodeJS.ProcessEnv, options: ServeOptions): Promise<void> {
  const sink = installOutput()
  await start(environment, options, sink).catch((error: unknown) => {
    console.error(explain(error))
    process.exit(1)
  })
}

async function start(environment: NodeJS.ProcessEnv, { empty, ...source }: ServeOptions, sink: LogSink): Promise<void> {
  const loaded = loadConfig(environment, source)
  await refuseForeignRoot(loaded.config, source, ['serve', ...(empty ? ['--empty'] : [])])
  for (const message of loaded.ignored) console.error(`WARNING: ${message}`)
  // The workers get the same settings, and the libraries theirs.
  Object.assign(environment, loaded.environment, loaded.forLibraries)
  const { config } = loaded
  const beginWith = empty ? 'empty' : config.beginWith
  let isNewSample = false
  let content = ''
  const opened = Promise.withResolvers<Context>()
  const prepare = async (ctx: Context) => {
    const existed = await initializeSummit(ctx, beginWith)
    isNewSample = !existed && beginWith === 'sample'
    content = await describeContent(ctx.database.read)
    if (existed && empty)
      console.log(`--empty has no effect: this summit already exists. To create a new one, set ${newLocation(config)}.`)
    opened.resolve(ctx)
  }
  const serving = { prepare, lingerMs, onSyncError: exitOnSyncError, sink }
  const service = config.workers > 1 ? await serveWithWorkers(config, serving) : await serveAlone(config, serving)
  stopOnSignals(service)
  const owner = await offerOwnership(await opened.promise, service)
  console.log(await welcome(loaded, service, { content, isNewSample, owner }))
  setTimeout(warnIfPicturesFail, pictureCheckDelayMs).unref()
}

async function serveAlone(config: Config, options: Parameters<typeof serve>[1]): Promise<RunningService> {
  const { app, address, close } = await serve(config, { ...options, registry: createProcessRegistry() })
  return { address, log: app.log, close }
}

/**
 * Offers a summit without an owner a link to become one. Most of those who start one with `ACCESS=open` want to try it, so
 * they read about the link below everything else.
 * @returns what they read
 */
async function offerOwnership(ctx: Context, { address }: RunningService): Promise<string | undefined> {
  const { access } = ctx.config
  const { port } = new URL(address)
  const signInUrl = signInUrlOf({ ...ctx.config, port: Number(port || 80) })
  if (signInUrl === undefined) return undefined
  let owner: string | undefined
  const say = (how: string) => {
    if (access === 'open') owner = `none, and none is needed to try Summit; ${how}`
    else console.log(`This summit has no owner yet: ${how}`)
  }
  const show = (link: string) => say(`this link makes you its owner, once, within 30 minutes:\n  ${link}`)
  await offerSetupLink(ctx, {
    signInUrl,
    show: process.stdout.isTTY ? show : undefined,
    announce: (file) => say(`the link in ${file} makes you its owner, once, within 30 minutes`),
  })
  return owner
}

async function welcome(
  loaded: LoadedConfig,
  { address }: RunningService,
  { content, isNewSample, owner }: { content: string; isNewSample: boolean; owner: string | undefined },
): Promise<string> {
  const { config } = loaded
  const { access, publicUrl, dataDir, database, host, workers, backup } = config
  const lines = [
    `Summit is running at ${publicUrl ?? address}`,
    `  program ${publicUrl ?? address}/`,
    `  docs    ${address}/docs`,
    `  version ${version}`,
    `  data    ${describeLocation(loaded)}`,
    ...(database.kind === 'server' ? [`  folder  ${resolve(dataDir)}`] : []),
    `  holds   ${content}`,
  ]
  if (isNewSample)
    lines.push(`  sample  loaded; to create a summit of your own, set ${newLocation(config)} and start with --empty`)
  lines.push(`  access  ${access}: ${accessDescriptions[access]}`)
  if (owner !== undefined) lines.push(`  owner   ${owner}`)
  if (backup.to) {
    const problem = await findStorageProblem(dataDir, backup.to)
    if (problem !== undefined) lines.push(`  WARNING: ${problem}`)
    else if (backup.everyMs !== undefined)
      lines.push(`  backups made automatically in ${describeBackupTarget(backup.to)}`)
  }
  if (workers > 1) lines.push(`  workers ${workers}`)
  if (!isLoopback(host) && access === 'open') lines.push(`  WARNING: listening on ${host} without authentication`)
  const untrustedProxy = describeUntrustedProxy(config)
  if (untrustedProxy !== undefined) lines.push(`  WARNING: ${untrustedProxy}`)
  return lines.join('\n')
}

/** The settings to change for a summit of its own. */
const newLocation = ({ database }: Config): string =>
  database.kind === 'folder' ? 'another DATA_DIR' : 'another DATA_DIR and DATABASE_URL'

/**
 * A terminal sends Ctrl-C both to npm, which forwards it, and to this process: a repeat this soon is the same signal.
 */
const duplicateSignalMs = 1_000

/** The first signal lets requests in progress finish; a second one exits immediately. */
function stopOnSignals({ log, close }: RunningService): void {
  let stoppingSince: number | undefined
  const stop = (signal: NodeJS.Signals) => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > duplicateSignalMs) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    log.info({ signal }, 'stopping')
    close().then(
      () => process.exit(0),
      (err) => {
        log.error({ err }, 'shutdown failed')
        process.exit(1)
      },
    )
  }
  // SIGHUP is sent by a terminal that closes.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
}

/**
 * The kernel reports a failed sync once and drops the pages that it could not write, so the next sync would falsely
 * succeed. Only a restart, which reads everything from disk, shows what is durable.
 */
function exitOnSyncError(error: unknown): never {
  const message = messageOf(error)
  console.error(`Could not sync data to disk (${message}). Check the disk, then restart Summit.`)
  process.exit(1)
}

const accessDescriptions: Readonly<Record<Config['access'], string>> = {
  open: 'anyone who can reach this port can read and write as any participant',
  public: 'anyone can read the program, the feed and files; participants and organizers sign in or use keys',
  members: 'only participants and organizers can read and write',
}
