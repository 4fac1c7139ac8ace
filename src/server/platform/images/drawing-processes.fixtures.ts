import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { hasCode } from '../../core/errors.ts'
import { PictureDrawer } from './picture-drawer.ts'

/** The processes that draw pictures for another. */
export const drawingProcesses = (parent = process.pid): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8')
        return (
          status.includes(`PPid:\t${parent}\n`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('draw-process')
        )
      } catch {
        return false
      }
    })

/** Sends a signal to a process that may have ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error
  }
}

/** The processes of a drawer that was just created. */
export function openDrawer(limitMs?: number) {
  const before = drawingProcesses()
  const drawer = new PictureDrawer(limitMs === undefined ? {} : { limitMs })
  const own = () => drawingProcesses().filter((pid) => !before.includes(pid))
  const signalOnce = (name: NodeJS.Signals) => {
    const pids = own()
    for (const pid of pids) signal(pid, name)
    return pids
  }
  /** Until there is another process than these, it gets the signal. */
  const signalNext = async (name: NodeJS.Signals, known: number[]) => {
    const next = () => own().filter((pid) => !known.includes(pid))
    await expect.poll(next).not.toEqual([])
    for (const pid of next()) signal(pid, name)
  }
  return { drawer, own, signalOnce, signalNext, [Symbol.dispose]: () => drawer.close() }
}
