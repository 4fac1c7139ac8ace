import type { Request } from '../workload.ts'

/** A request of the workload, independent of the product. Ids and paging are strings where the path contains them. */
export type Operation =
  | { kind: 'list'; resource: 'topics' | 'participants' | 'events' | 'feedback'; offset: string; limit: string }
  | { kind: 'get topic'; id: string }
  | { kind: 'create comment'; topicId: number; body: { comment: string; created_by: number } }
  | { kind: 'create topic'; body: { name: string; body: string; created_by: number } }
  | {
      kind: 'add feedback'
      body: { participant_id: number; rating: string; comments: string; program_id: number }
    }

/** @throws Error for a request without a counterpart in other products */
export function parseOperation({ method, path, body: json = '{}' }: Request): Operation {
  const [, , area = '', first = '', second = '', third = ''] = path.split('/')
  if (method === 'GET') {
    if (third === 'details') return { kind: 'get topic', id: second }
    if (area === 'newsfeeds') return { kind: 'list', resource: 'topics', offset: second, limit: third }
    if (area === 'participants') return { kind: 'list', resource: 'participants', offset: first, limit: second }
    if (path.startsWith('/api/program/list')) return { kind: 'list', resource: 'events', offset: second, limit: third }
    if (area === 'feedback') return { kind: 'list', resource: 'feedback', offset: second, limit: third }
  } else {
    const body = JSON.parse(json)
    if (third === 'comments') return { kind: 'create comment', topicId: Number(second), body }
    if (area === 'newsfeeds') return { kind: 'create topic', body }
    if (area === 'feedback') return { kind: 'add feedback', body }
  }
  throw new Error(`other products have no counterpart of ${method} ${path}`)
}

/** The fields of a participant that responses contain. */
export const participantFields = ['full_name', 'designation', 'photo']

/** Prefixes fields with the relation that they belong to, in the notation of both products. */
export const prefixFields = (relation: string, fields: readonly string[]): string[] =>
  fields.map((field) => `${relation}.${field}`)
