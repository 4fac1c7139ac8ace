import { expect } from 'vitest'
import type { TestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import type { Topic } from '../../../contract/newsfeed.ts'

/** A PNG of one pixel. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==',
  'base64',
)

export const createTopic = '/api/newsfeeds/topics/create'

/** Two external links; the second one's type does not follow from its name. */
export const slides = 'https://cdn.summit.example/slides.pdf'
export const plan = 'https://cdn.summit.example/plan'

export const filesOf = async (t: TestApp, topic_id: number) =>
  make.only((await t.client.getTopic({ topic_id })).NewsFeed).content.uploaded_files

/** The name at the end of a file's link, which may have a query. */
export const nameIn = (link: string): string => decodeURIComponent(link.replace(/\?.*/, '').split('/').at(-1) ?? '')

export const bytesOf = async (link: string): Promise<Buffer> => Buffer.from(await (await fetch(link)).arrayBuffer())

/** A form with the required members of a topic. */
export function form<F extends FormData | URLSearchParams>(
  empty: F,
  members: readonly (readonly [string, string | File])[],
): F {
  empty.append('name', 'With files')
  empty.append('created_by', '1')
  for (const [name, value] of members)
    if (typeof value === 'string') empty.append(name, value)
    else if (empty instanceof FormData) empty.append(name, value)
  return empty
}

/** The JSON body of a topic. */
export const json = (uploaded_files: unknown) => JSON.stringify({ name: 'With files', created_by: 1, uploaded_files })

/** Posts a valid topic. @returns its id */
export async function post(
  t: TestApp,
  body: string | FormData | URLSearchParams,
  headers?: Record<string, string>,
): Promise<number> {
  const { response_code, data } = await make.send(t, 'POST', createTopic, body, headers)
  expect(response_code).toBe(1000)
  return Number(make.only((data as { NewsFeed: Topic[] }).NewsFeed).id)
}
