/** What this thread has computed so far, in milliseconds: unlike a clock, it does not care who else uses the machine. */
export function cpuTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
