import { generate, type Rows, standardSize } from '../../data.ts'
import { type ClassName, pointer } from './classes.ts'

/** An object as a row of the table of its class; a pointer in a column of its own is an id. */
type ObjectRow = Record<string, unknown>

/** The data set as objects of the classes, with the ids and moments of its rows. */
export function objects(): Record<ClassName, ObjectRow[]> {
  const topics = new Map<number, ReturnType<typeof toTopic>>()
  const events = new Map<number, ReturnType<typeof toEvent>>()
  const activitiesOfDay = new Map<number, object[]>()
  const all: Pick<Record<ClassName, ObjectRow[]>, 'Participant' | 'Comment' | 'Feedback'> = {
    Participant: [],
    Comment: [],
    Feedback: [],
  }
  for (const { table, row } of generate(standardSize)) {
    switch (table) {
      case 'participants': {
        const { id, created_at, ...rest } = row
        all.Participant.push({ ...made(id, created_at), ...rest })
        break
      }
      case 'topics':
        topics.set(row.id, toTopic(row))
        break
      case 'comments': {
        const { id, topic_id: topic, participant_id: created_by, comment, created_at } = row
        all.Comment.push({ ...made(id, created_at), topic, created_by, comment })
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
        all.Feedback.push({ ...made(id, created_at), participant, event, rating, comments })
        break
      }
    }
  }
  // Chance has somebody like a topic twice, which is one like.
  const Topic = [...topics.values()].map((topic) => ({ ...topic, likes: [...topic.likes.values()] }))
  return { ...all, Topic, Event: [...events.values()] }
}

/** @param stamp of UTC */
const made = (id: number, stamp: string) => ({ objectId: `${id}`, createdAt: `${stamp}Z`, updatedAt: `${stamp}Z` })

const toTopic = ({ id, participant_id, header, body, created_at }: Rows['topics']) => ({
  ...{ ...made(id, created_at), created_by: participant_id, header, body },
  files: [] as object[],
  likes: new Map<number, object>(),
  comments: [] as object[],
})

const toEvent = ({ id, title, date_from, date_to, location_name, location_address, created_at }: Rows['events']) => ({
  ...{ ...made(id, created_at), title, date_from, date_to, location_name, location_address },
  program: [] as object[],
})
