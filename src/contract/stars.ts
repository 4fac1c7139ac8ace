import Type from 'typebox'
import { Timestamp } from './envelope.ts'
import { IdList, operation, record } from './operation.ts'
import { WireId } from './records.ts'

// Additions to the interface specification: the events that participants have starred. Nobody else sees them.

/** A starred event. */
const Star = record({ event_id: WireId, created_at: Timestamp })

/** The most stars that one request adds, and that it removes. */
const maxChangedStars = 500

const data = record({
  stars: Type.Array(Star, { description: 'All of them, in the order in which they were added.' }),
})

export const stars = {
  listStars: operation({
    method: 'GET',
    path: '/api/me/stars',
    tag: 'Me',
    summary: 'List the events that I have starred',
    access: { own: 'participants' },
    params: record({}),
    data,
    fails: ['PARTICIPANT_NOT_FOUND'],
  }),
  updateStars: operation({
    method: 'PUT',
    path: '/api/me/stars',
    tag: 'Me',
    summary: 'Star events, and remove stars',
    description:
      'For a device that sends what was starred on it since the last time. A star that exists already, or does not, stays as ' +
      'it is, and events that do not exist are left out. An event in both lists loses its star.',
    access: { own: 'participants' },
    params: record({}),
    body: Type.Partial(
      record({
        add: IdList('event', maxChangedStars, 'The events to star.'),
        remove: IdList('event', maxChangedStars, 'The events whose stars are removed.'),
      }),
      { additionalProperties: false },
    ),
    data,
    fails: ['PARTICIPANT_NOT_FOUND'],
  }),
}
