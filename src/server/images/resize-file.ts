import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Fit, type ResizedImage, UnusableImage } from './resize.ts'

/** What reading one image may take. */
export interface DecodingLimits {
  /** Address space for data, in MiB. Node itself reserves 600 of them without using them. */
  mebibytes: number
  seconds: number
}

/** Beside what Node reserves, 40 million pixels of AVIF, the most that a good image takes, need 800 MiB and 4 seconds. */
const decodingLimits: DecodingLimits = { mebibytes: 1536, seconds: 15 }

const program = fileURLToPath(new URL('resize-process.ts', import.meta.url))

/** Where the kernel runs out of memory nonetheless, it ends this process rather than a server. No core is dumped. */
const limited = (mebibytes: number) =>
  `ulimit -d ${mebibytes * 1024}; ulimit -c 0; { echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null; exec "$@"`

/** What the process says, and as much of its standard error as anybody reads. */
const errorCharacters = 4_000

/**
 * As `resizeImage`, of a file, in a process of its own: what reads hostile images is C, whose memory and time nothing
 * else limits for certain.
 * @throws {UnusableImage} also if the image ends that process, or takes more than `limits`
 */
export function resizeFile(path: string, fit: Fit, limits = decodingLimits): Promise<ResizedImage> {
  const command = [process.execPath, program, path, JSON.stringify(fit)] as const
  // Windows has no such limits.
  const [file, ...args] =
    process.platform === 'win32' ? command : (['/bin/sh', '-c', limited(limits.mebibytes), 'sh', ...command] as const)
  const child = spawn(file, args, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    timeout: limits.seconds * 1000,
    killSignal: 'SIGKILL',
  })
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-errorCharacters)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('message', (outcome: ResizedImage | { refusal: string }) => {
      if ('refusal' in outcome) reject(new UnusableImage(outcome.refusal))
      else resolve(outcome)
    })
    // After its message, if there was one, this changes nothing.
    child.once('close', (code, signal) => {
      if (child.killed) reject(new UnusableImage('The image takes too long to read.'))
      else if (signal) reject(new UnusableImage('The image is damaged or takes too much memory to read.'))
      else reject(new Error(`The process that reads images ended with exit code ${code}: ${errors}`))
    })
  })
}
