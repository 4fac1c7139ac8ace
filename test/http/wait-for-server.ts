/**
 * Resolves once the server has processed everything that it had received before this call. The server handles its
 * connections in the order in which data arrives, so the response to a later request comes after earlier data is
 * processed.
 */
export async function waitForServer({ url }: { url: string }): Promise<void> {
  // Not kept open: where a test moves the clock, the server would close it as idle.
  const headers = { connection: 'close' }
  for (let nth = 0; nth < 2; nth++) await (await fetch(`${url}/healthz`, { headers })).text()
}
