import { createClient } from '../../src/client/client.ts'
import { addParticipant } from '../../src/server/domains/participants/participants.ts'
import { pixel } from '../contract/examples.ts'
import { inCommand } from '../in-command.ts'
import type { Site } from './site.ts'

/** The text in a field of a line. */
const line = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 250) || '-'

const toFile = (content: string, name: string) => new File([content], name)

/** A program in the format of frab, with this text in each of its fields. */
function programOf(texts: readonly string[]): string {
  const zone = 'Europe/Berlin'
  const eventOf = (text: string, index: number) => {
    const start = `2030-05-02T${String(8 + (index % 12)).padStart(2, '0')}:30:00+02:00`
    const link = { url: text, title: text, type: text }
    const person = { public_name: line(text), biography: text, avatar: text, url: text, links: [link] }
    return {
      id: 1 + index,
      date: start,
      start: start.slice(11, 16),
      duration: '00:45',
      room: line(text),
      title: text,
      subtitle: text,
      abstract: text,
      description: text,
      persons: [person],
      code: text,
      slug: text,
      track: line(text),
      type: text,
      language: text,
      recording_license: text,
      links: [link, { ...link, url: `https://a.example/${text}` }],
      attachments: [link],
      url: text,
      origin_url: text,
    }
  }
  const rooms = Object.fromEntries(Map.groupBy(texts.map(eventOf), ({ room }) => room))
  return JSON.stringify({
    schedule: {
      version: '1.0',
      conference: {
        acronym: 'attack',
        title: 'Attacks',
        start: '2030-05-02',
        end: '2030-05-02',
        timeslot_duration: '00:15',
        time_zone_name: zone,
        tracks: texts.map((text, index) => ({ name: line(text), color: index % 2 ? text : '#0a7e5c' })),
        days: [
          {
            index: 1,
            date: '2030-05-02',
            day_start: '2030-05-02T08:00:00+02:00',
            day_end: '2030-05-03T04:00:00+02:00',
            rooms,
          },
        ],
      },
    },
  })
}

/** Stores each text in every field that a request or an import writes. @returns how many writes were accepted */
export async function storeAttacks(site: Site, texts: readonly string[]): Promise<number> {
  const organizer = createClient(site.url, { headers: site.organizer })
  let accepted = 0
  // Requests with characters that are in no text fail, and nothing of them is stored.
  const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      const result = await work()
      accepted += 1
      return result
    } catch {
      return undefined
    }
  }
  const program = toFile(programOf(texts), 'program.json')
  const { plan } = await organizer.planImport({}, { file: program })
  await organizer.applyImport({ hash: plan.hash }, { file: program })

  for (const [index, text] of texts.entries()) {
    const participant = {
      first_name: text,
      last_name: text,
      designation: text,
      employee_no: text,
      mobile_no: text,
      photo: text,
    }
    // In a command, which checks less than a request.
    const id = await attempt(() =>
      inCommand(site, (scope) => addParticipant(scope, { ...participant, email: `${line(text)}@a${index}.example` })),
    )
    const created_by = Number(id ?? 1)
    const uploaded_files = [
      { name: `${line(text)}.png`, fileType: 'image/png', data: pixel },
      { name: `${line(text)}.html`, fileType: 'text/html', data: Buffer.from(text).toString('base64') },
    ]
    const topic = { name: text.slice(0, 1_000), body: text, created_by }
    const created =
      (await attempt(() => site.reader.createTopic({ ...topic, uploaded_files }))) ??
      (await attempt(() => site.reader.createTopic(topic)))
    await attempt(() => site.reader.createTopic({ ...topic, uploaded_files: [text] }))
    await attempt(() =>
      site.reader.createTopic({ ...topic, uploaded_files: [{ link: `https://a.example/${text}`, fileType: text }] }),
    )
    const topic_id = Number(created?.NewsFeed[0]?.id ?? 1)
    await attempt(() => site.reader.createComment({ topic_id, comment: text, created_by, uploaded_files }))
    const links = [{ rel: line(text), title: line(text), url: `https://a.example/${text}` }]
    await attempt(() =>
      organizer.createSpeaker({ name: line(text), position: line(text), company: line(text), biography: text, links }),
    )
    const event = {
      title: line(text),
      subtitle: line(text),
      description: text,
      details: text,
      type: line(text),
      language: line(text),
    }
    await attempt(() =>
      organizer.createEvent({
        ...event,
        tags: [line(text)],
        license: line(text),
        starts_at: '2030-05-02 09:00',
        speaker_ids: [1 + index],
      }),
    )
    await attempt(() => organizer.publish({ note: line(text) }))
  }
  const { draft } = await organizer.getDraft({})
  // Rooms, tracks and events that are called something else are named in the list of changes, with both names.
  const renamed = (records: typeof draft.rooms.list | typeof draft.tracks.list) =>
    records.map((record) => ({ id: Number(record.id), name: `${record.name.slice(0, 240)} *` }))
  await attempt(() => organizer.setRooms({ revision: draft.rooms.revision, rooms: renamed(draft.rooms.list) }))
  await attempt(() => organizer.setTracks({ revision: draft.tracks.revision, tracks: renamed(draft.tracks.list) }))
  for (const { id, revision, title } of draft.events.slice(0, texts.length))
    await attempt(() =>
      organizer.updateEvent({
        id: Number(id),
        revision,
        title: `${title.slice(0, 240)} *`,
        starts_at: '2030-05-02 22:00',
      }),
    )
  await attempt(() => organizer.publish({ note: texts.join(' ').slice(0, 250) }))
  return accepted
}

/** Calls the conference like the text, which every page then says. @returns whether that was accepted */
export async function renameConference(site: Site, text: string): Promise<boolean> {
  const organizer = createClient(site.url, { headers: site.organizer })
  const { revision } = (await organizer.getDraft({})).draft.conference
  const title = { revision, title: line(text), acronym: line(text).slice(0, 20) }
  return (await organizer.call('updateConference', title)).envelope.response_code < 4000
}
