import Type from 'typebox'
import { roles } from './access.ts'
import { operation, record } from './operation.ts'
import { ParticipantDetails } from './participants.ts'

/** Whoever is signed in. */
const Me = record({
  participant: Type.Union([ParticipantDetails, Type.Null()], {
    description: 'The whole profile; null for an organizer who is not a participant.',
  }),
  roles: Type.Array(Type.Enum([...roles]), { description: 'The roles of an organizer; empty for a participant.' }),
})
export const me = {
  getMe: operation({
    method: 'GET',
    path: '/api/me',
    tag: 'Me',
    summary: 'Read who is signed in',
    access: { own: true },
    params: record({}),
    data: record({ me: Me }),
    fails: [],
  }),
}
