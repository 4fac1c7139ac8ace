import { generateRows, type Rows, standardSize } from '../../rows.ts'
import { type ClassName, pointer } from './classes.ts'

/** An object as a row of its class's table. A pointer with its own column is stored as an id. */
type ObjectRow = Record<string, unknown>

/** The data set as objects of the classes, with the ids and dates of its rows. */
export function buildObjects(): Record<ClassName, ObjectRow[]> {
  const topics = new Map<number, ReturnType<typeof toTopic>>()
  const events = new Map<number, ReturnType<typeof toEvent>>()
  const activitiesOfDay = new Map<number, object[]>()
  const all: Pick<Record<ClassName, ObjectRow[]>, 'Participant' | 'Comment' | 'Feedback'> = {
    Participant: [],
    Comment: [],
    Feedback: [],
  }
  for (const { table, row } of generateRows(standardSize)) {
    switch (table) {
      case 'participants': {
        const { id, created_at, ...rest } = row
        all.Participant.push({ ...systemFields(id, created_at), ...rest })
        break
      }
      case 'topics':
        topics.set(row.id, toTopic(row))
        break
      case 'comments': {
        const { id, topic_id: topic, participant_id: created_by, comment, created_at } = row
        all.Comment.push({ ...systemFields(id, created_at), topic, created_by, comment })
        topics.get(topic)?.comments.push(pointer('Comment', id))
        break
      }
      case 'files': {
        const { id, topic_id, link, file_type } = row
        topics.get(topic_id)?.files.push({ id, link, file_type })
        break
      }
      case 'likes':
        topics.get(row.topic_id)?.likes.set(row.participant_id, pointer('Participant', row.participant_id))
        break
      case 'events':
        events.set(row.id, toEvent(row))
        break
      case 'days': {
        const activities: object[] = []
        activitiesOfDay.set(row.id, activities)
        events.get(row.event_id)?.program.push({ date: row.date, activities })
        break
      }
      case 'activities':
        activitiesOfDay.get(row.day_id)?.push({ title: row.title, time: row.time })
        break
      case 'feedback': {
        const { id, participant_id: participant, event_id: event, rating, comments, created_at } = row
        all.Feedback.push({ ...systemFields(id, created_at), participant, event, rating, comments })
        break
      }
    }
  }
  // The generator may have a participant like a topic twice, which counts once.
  const Topic = [...topics.values()].map((topic) => ({ ...topic, likes: [...topic.likes.values()] }))
  return { ...all, Topic, Event: [...events.values()] }
}

/** @param createdAt in UTC, without a time zone */
const systemFields = (id: number, createdAt: string) => ({
  objectId: `${id}`,
  createdAt: `${createdAt}Z`,
  updatedAt: `${createdAt}Z`,
})

const toTopic = ({ id, participant_id, header, body, created_at }: Rows['topics']) => ({
  ...{ ...systemFields(id, created_at), created_by: participant_id, header, body },
  files: [] as object[],
  likes: new Map<number, object>(),
  comments: [] as object[],
})

const toEvent = ({ id, title, date_from, date_to, location_name, location_address, created_at }: Rows['events']) => ({
  ...{ ...systemFields(id, created_at), title, date_from, date_to, location_name, location_address },
  program: [] as object[],
})
