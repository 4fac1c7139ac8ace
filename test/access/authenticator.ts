import type { Page } from 'playwright-core'

/**
 * Gives a page a device that verifies its user by itself (https://chromedevtools.github.io/devtools-protocol/tot/WebAuthn/).
 * @returns changes whether it does
 */
export async function addAuthenticator(page: Page): Promise<(isUserVerified: boolean) => Promise<void>> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  })
  return async (isUserVerified) => {
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  }
}
