/** As many problems are kept to be listed; the rest are counted. */
const mostListed = 1_000

/** What a check has found. */
export class Findings {
  rows = 0
  files = 0
  problems = 0
  readonly listed: string[] = []

  add(problem: string): void {
    this.problems++
    if (this.listed.length < mostListed) this.listed.push(problem)
  }
}
