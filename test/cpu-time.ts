/** The processor time of this thread in milliseconds, which other processes do not influence. */
export function cpuTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
