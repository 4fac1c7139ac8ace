import type { ParticipantId } from '../../core/ids.ts'

/** The members of responses with the id of a participant. */
const idMembers: ReadonlySet<string> = new Set([
  ...['participant_id', 'created_by', 'modified_by', 'deleted_by', 'posted_by'],
])

/** A member that only authors, and participants in a list and in a profile have. */
const memberOfPerson = 'designation'

/** Finds the participants whom a response names, shows as an author, or shows in a profile. */
export function findMentions(data: object): Set<ParticipantId> {
  const ids = new Set<ParticipantId>()
  const add = (id: unknown): void => {
    if (Number(id) > 0) ids.add(Number(id) as ParticipantId)
  }
  const search = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(search)
    else if (value instanceof Object) {
      if (memberOfPerson in value && 'id' in value) add(value.id)
      for (const [name, member] of Object.entries(value)) {
        if (idMembers.has(name)) add(member)
        else search(member)
      }
    }
  }
  search(data)
  return ids
}
