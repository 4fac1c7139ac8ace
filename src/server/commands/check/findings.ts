/** How many problems are listed; further ones are only counted. */
const maxListed = 1_000

/** The result of a check. */
export class Findings {
  rows = 0
  files = 0
  problems = 0
  readonly listed: string[] = []

  add(problem: string): void {
    this.problems++
    if (this.listed.length < maxListed) this.listed.push(problem)
  }
}
