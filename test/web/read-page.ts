import { addRecord } from '../../src/server/domains/program/records.ts'
import type { TestApp } from '../app.ts'
import { inCommand } from '../in-command.ts'

export interface ReadPage {
  status: number
  headers: Headers
  text: string
  /** What readers see of it, on one line. */
  words: string
  /** Where a redirect leads. */
  location: string | null
}

/** Reads a page as a browser does, without following redirects. */
export async function readPage(
  { url }: Pick<TestApp, 'url'>,
  path: string,
  headers: Record<string, string> = {},
): Promise<ReadPage> {
  const response = await fetch(url + path, {
    redirect: 'manual',
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', ...headers },
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    words: wordsOf(text),
    location: response.headers.get('location'),
  }
}

/** The main part of a page as text, without what could be chosen. */
export function wordsOf(page: string): string {
  const [, main = page] = /<main[^>]*>(.*)<\/main>/s.exec(page) ?? []
  return main
    .replace(/<select.*?<\/select>/gs, '')
    .replace(/<br>|<\/?(p|li|h\d|ul|section|div)[^>]*>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/\s+/g, ' ')
    .trim()
}

/** Names the conference of a summit, whose clocks are those of Berlin. */
export const addConference = (t: Pick<TestApp, 'ctx'>, values: Record<string, unknown> = {}) =>
  inCommand(t, (scope) =>
    addRecord(scope, 'conference', { title: 'Summit 2030', time_zone: 'Europe/Berlin', ...values }),
  )

export const minutes = (count: number): number => count * 60_000
export const hours = (count: number): number => count * 3_600_000
