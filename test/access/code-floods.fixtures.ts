import { type AppWithMail, askAs, type CodeBrowser, otherThan } from './codes.ts'

export const stranger = 'stranger@elsewhere.example'

/** Enters a wrong code, and then the one in the mail. */
export async function redeemAtSecondTry(t: AppWithMail, browser: CodeBrowser): Promise<number> {
  const code = await askAs(t, browser)
  await browser.redeem(otherThan(code))
  return (await browser.redeem(code)).code
}
