import { expect, test } from 'vitest'
import { anasAddress, CodeBrowser, mailsOf, startAppWithMail } from './codes.ts'

// Whether the time of a response tells if an address is known.

/** Requests for each kind of address. */
const pairs = 150

/** The difference between the means that must not be exceeded, in milliseconds. */
const maxGapMs = 5

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** The mean of the differences, with the standard error of it. */
function compare(differences: readonly number[]) {
  const mean = meanOf(differences)
  const variance = meanOf(differences.map((difference) => (difference - mean) ** 2))
  return { mean, error: Math.sqrt(variance / differences.length) }
}

test('the response to a known address takes as long as that to an unknown one', async () => {
  await using t = await startAppWithMail()
  const { headers } = t.ana
  const time = async (work: () => Promise<unknown>): Promise<number> => {
    const start = performance.now()
    await work()
    return performance.now() - start
  }
  const measure = async (email: string) => {
    // Beyond the period in which codes count towards a limit.
    t.advance(60 * 60_000)
    const browser = new CodeBrowser(t)
    const asked = await time(() => browser.ask(email))
    // Sending the mail may delay what the same client asks for next.
    const next = await time(async () => (await fetch(`${t.url}/api/me`, { headers })).text())
    return { asked, next }
  }
  // First requests compile.
  for (const email of [anasAddress, 'nobody@login.example', anasAddress, 'nobody@login.example']) await measure(email)
  await mailsOf(t, 2)

  const differences = { asked: [] as number[], next: [] as number[] }
  for (let nth = 0; nth < pairs; nth++) {
    const unknown = `nobody-${nth}@login.example`
    // In alternating order, so that neither kind comes first, and a change of the load meets both.
    const order = nth % 2 ? [anasAddress, unknown] : [unknown, anasAddress]
    const times = new Map<string, Awaited<ReturnType<typeof measure>>>()
    for (const email of order) {
      const mails = t.received.length
      times.set(email, await measure(email))
      if (email === anasAddress) await mailsOf(t, mails + 1)
    }
    for (const what of ['asked', 'next'] as const)
      differences[what].push((times.get(anasAddress)?.[what] ?? 0) - (times.get(unknown)?.[what] ?? 0))
  }
  for (const [what, values] of Object.entries(differences)) {
    const { mean, error } = compare(values)
    console.log(`${what}: ${mean.toFixed(2)} ms more if the address is known, ± ${error.toFixed(2)} ms, n = ${pairs}`)
    // Fails if the gap is larger beyond doubt; a busy machine makes the doubt larger.
    expect(Math.abs(mean) - 3 * error, what).toBeLessThan(maxGapMs)
  }
})
