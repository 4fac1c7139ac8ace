/** The path below which Parse Server answers. */
export const mountPath = '/parse'

/** A reference to an object as Parse Server takes it, and keeps it in arrays. */
export const pointer = (className: string, id: number) => ({ __type: 'Pointer', className, objectId: `${id}` })

const string = { type: 'String' }
const array = { type: 'Array' }
const to = (targetClass: string) => ({ type: 'Pointer', targetClass })

const strings = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, string]))

/**
 * The classes of the data set, for the option `schema`. What a topic shows of others it has in arrays, as the guide of
 * Parse advises where there are fewer than a hundred that are read with it: pointers to its comments and to those who
 * like it. On PostgreSQL an array that has been added to is in no order, so that the app has to sort comments. What
 * nobody asks for by itself is kept within: files of a topic, days of an event with their activities.
 */
const fields = {
  Participant: strings('first_name last_name full_name designation employee_no email photo mobile_no gender'),
  Topic: { ...strings('header body'), created_by: to('Participant'), files: array, likes: array, comments: array },
  Comment: { ...strings('comment'), created_by: to('Participant'), topic: to('Topic') },
  Event: { ...strings('title date_from date_to location_name location_address'), program: array },
  Feedback: { ...strings('rating comments'), participant: to('Participant'), event: to('Event') },
}
export type ClassName = keyof typeof fields
export const classNames = Object.keys(fields) as ClassName[]

/**
 * Of what pages are ordered by; their names are of the whole database. Comments are found by their ids, of which Parse
 * Server makes one by itself.
 */
const indexes: Record<ClassName, Record<string, { [field: string]: 1 }>> = {
  Participant: { participants_in_order: { createdAt: 1 } },
  Topic: { newest_topics: { createdAt: 1 } },
  Comment: {},
  Event: { events_by_date: { date_from: 1 } },
  Feedback: { newest_feedback: { createdAt: 1 } },
}

const anybody = { '*': true }

/** Anybody may read and add; nobody else than its own code may change or remove. */
const classLevelPermissions = { find: anybody, get: anybody, count: anybody, create: anybody, update: {}, delete: {} }

export const definitions = classNames.map((className) => ({
  className,
  fields: fields[className],
  indexes: indexes[className],
  classLevelPermissions,
}))
