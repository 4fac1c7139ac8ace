import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Fit, ResizedImage } from './resize.ts'
import { UnusableImage } from './unusable-image.ts'

/** The resources that decoding one image may use. */
export interface DecodingLimits {
  /** Limit on the data segment, in MiB. Node itself reserves 600 of them without using them. */
  mebibytes: number
  seconds: number
}

/** An AVIF of 40 million pixels, the most demanding valid image, needs 800 MiB on top of Node's own, and 4 seconds. */
const decodingLimits: DecodingLimits = { mebibytes: 1536, seconds: 15 }

const script = fileURLToPath(new URL('resize-process.ts', import.meta.url))

/** If the machine still runs out of memory, the kernel kills this process rather than a server. No core is dumped. */
const limitingShellScript = (mebibytes: number) =>
  `ulimit -d ${mebibytes * 1024}; ulimit -c 0; { echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null; exec "$@"`

/** Characters of the process's standard error shown in an error message. */
const maxErrorLength = 4_000

/**
 * Runs `resizeImage` on a file in a process of its own. Images are decoded by C code, whose memory and time cannot be
 * limited reliably in any other way.
 * @throws {UnusableImage} also if the image crashes that process or exceeds `limits`
 */
export function resizeFile(path: string, fit: Fit, limits = decodingLimits): Promise<ResizedImage> {
  const command = [process.execPath, script, path, JSON.stringify(fit)] as const
  // Windows has no ulimit.
  const [file, ...args] =
    process.platform === 'win32'
      ? command
      : (['/bin/sh', '-c', limitingShellScript(limits.mebibytes), 'sh', ...command] as const)
  const child = spawn(file, args, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    timeout: limits.seconds * 1000,
    killSignal: 'SIGKILL',
  })
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-maxErrorLength)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('message', (outcome: ResizedImage | { unusable: string }) => {
      if ('unusable' in outcome) reject(new UnusableImage(outcome.unusable))
      else resolve(outcome)
    })
    // No effect if a message has already settled the promise.
    child.once('close', (code, signal) => {
      if (child.killed) reject(new UnusableImage('The image takes too long to decode.'))
      else if (signal) reject(new UnusableImage('The image is damaged or takes too much memory to decode.'))
      else reject(new Error(`Image process exited with code ${code}: ${errors}`))
    })
  })
}
