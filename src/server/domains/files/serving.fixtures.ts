import type { TestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'

/** Attaches a file to a new topic. @returns the path of its link */
export async function store(t: TestApp, name: string, fileType: string, bytes: Buffer): Promise<string> {
  const data = bytes.toString('base64')
  const { content } = await make.topic(t, { uploaded_files: [{ name, fileType, data }] })
  return new URL(make.only(content.uploaded_files).link).pathname
}

export async function get(t: TestApp, path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(t.url + path, { method, headers })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** The response code of a request that fails. */
export const failureAt = async (t: TestApp, path: string) => (await make.send(t, 'GET', path)).response_code
