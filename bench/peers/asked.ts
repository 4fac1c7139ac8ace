import type { Request } from '../workload.ts'

/** What a request of the workload asks for, whatever the product; numbers as they stand in its address. */
export type Asked =
  | { what: 'page'; of: 'topics' | 'participants' | 'events' | 'feedback'; offset: string; limit: string }
  | { what: 'topic'; id: string }
  | { what: 'new comment'; topic: number; given: { comment: string; created_by: number } }
  | { what: 'new topic'; given: { name: string; body: string; created_by: number } }
  | { what: 'new feedback'; given: { participant_id: number; rating: string; comments: string; program_id: number } }

/** @throws Error for a request that has no counterpart in other products */
export function asked({ method, path, body = '{}' }: Request): Asked {
  const [, , area = '', first = '', second = '', third = ''] = path.split('/')
  if (method === 'GET') {
    if (third === 'details') return { what: 'topic', id: second }
    if (area === 'newsfeeds') return { what: 'page', of: 'topics', offset: second, limit: third }
    if (area === 'participants') return { what: 'page', of: 'participants', offset: first, limit: second }
    if (path.startsWith('/api/program/list')) return { what: 'page', of: 'events', offset: second, limit: third }
    if (area === 'feedback') return { what: 'page', of: 'feedback', offset: second, limit: third }
  } else {
    const given = JSON.parse(body)
    if (third === 'comments') return { what: 'new comment', topic: Number(second), given }
    if (area === 'newsfeeds') return { what: 'new topic', given }
    if (area === 'feedback') return { what: 'new feedback', given }
  }
  throw new Error(`other products have nothing like ${method} ${path}`)
}

/** The fields of a participant as answers show them. */
export const participantFields = ['full_name', 'designation', 'photo']

/** Names of fields of what a field refers to, as both products spell them. */
export const fieldsOf = (member: string, fields: readonly string[]): string[] =>
  fields.map((field) => `${member}.${field}`)
