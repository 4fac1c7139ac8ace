/** The path prefix of Parse Server's interface. */
export const mountPath = '/parse'

/** A reference to an object, in requests and in stored arrays. */
export const pointer = (className: string, id: number) => ({ __type: 'Pointer', className, objectId: `${id}` })

const string = { type: 'String' }
const array = { type: 'Array' }
const pointerTo = (targetClass: string) => ({ type: 'Pointer', targetClass })

const strings = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, string]))

/**
 * The classes of the data set, for the option `schema`. A topic has arrays of pointers to its comments and to the
 * participants who like it, as Parse's guide recommends for fewer than a hundred objects that are read together. On
 * PostgreSQL, adding to an array does not preserve its order, so the app would have to sort comments. Records that are
 * never read on their own are embedded: the files of a topic, and the days of an event with their activities.
 */
const fields = {
  Participant: strings('first_name last_name full_name designation employee_no email photo mobile_no gender'),
  Topic: {
    ...strings('header body'),
    created_by: pointerTo('Participant'),
    files: array,
    likes: array,
    comments: array,
  },
  Comment: { ...strings('comment'), created_by: pointerTo('Participant'), topic: pointerTo('Topic') },
  Event: { ...strings('title date_from date_to location_name location_address'), program: array },
  Feedback: { ...strings('rating comments'), participant: pointerTo('Participant'), event: pointerTo('Event') },
}
export type ClassName = keyof typeof fields
export const classNames = Object.keys(fields) as ClassName[]

/**
 * Indexes for the order of lists. Their names are unique in the database. Comments are only found by id, for which
 * Parse Server creates an index itself.
 */
const indexes: Record<ClassName, Record<string, { [field: string]: 1 }>> = {
  Participant: { participants_in_order: { createdAt: 1 } },
  Topic: { newest_topics: { createdAt: 1 } },
  Comment: {},
  Event: { events_by_date: { date_from: 1 } },
  Feedback: { newest_feedback: { createdAt: 1 } },
}

const everyone = { '*': true }

/** Everyone may read and create; only cloud code may update or delete. */
const classLevelPermissions = {
  find: everyone,
  get: everyone,
  count: everyone,
  create: everyone,
  update: {},
  delete: {},
}

export const definitions = classNames.map((className) => ({
  className,
  fields: fields[className],
  indexes: indexes[className],
  classLevelPermissions,
}))
