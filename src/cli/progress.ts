import { Presets, SingleBar } from 'cli-progress'
import type { Progress } from '../server/core/progress.ts'

/** Shows a progress bar on standard error while `work` runs, if standard error is a terminal. */
export async function withProgress<T>(
  label: string,
  work: (onProgress: (done: number, all: number) => void) => Promise<T>,
): Promise<T> {
  const bar = new SingleBar(
    { format: `${label} {bar} {value}/{total}`, stream: process.stderr, clearOnComplete: true, hideCursor: true },
    Presets.shades_classic,
  )
  let started = false
  try {
    return await work((done, all) => {
      if (!started) bar.start(all, 0)
      started = true
      bar.update(done)
    })
  } finally {
    bar.stop()
  }
}

/** {@link withProgress} for work that reports increments. */
export const progress: Progress = (label, all, run) =>
  withProgress(label, (onProgress) => {
    let done = 0
    return run((more = 1) => {
      done += more
      onProgress(done, all)
    })
  })
