/**
 * Resolves once the server has processed everything that it had received before this call. The server handles its
 * connections in the order in which data arrives, so a later request is answered after earlier data is processed.
 */
export async function waitForServer({ url }: { url: string }): Promise<void> {
  for (let nth = 0; nth < 2; nth++) await (await fetch(`${url}/healthz`)).text()
}
