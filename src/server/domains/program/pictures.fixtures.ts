import type { TestApp } from '../../../../test/app.ts'
import type { PictureKind } from './pictures.ts'

/** Requests a picture of the first event. */
export async function getPicture(t: TestApp, kind: PictureKind, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(`${t.url}/api/program/${kind}/get/1`, { method, headers })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}
