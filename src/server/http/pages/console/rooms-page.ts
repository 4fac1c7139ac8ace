import type { Data } from '../../../../contract/index.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { html } from '../html.ts'
import type { ConsolePage } from './console.ts'
import { areaField, textField } from './fields.ts'
import { explainList, fieldOf, openList, readList, removedIn } from './list-edit.ts'
import { countsBy, listForm, usesOf } from './list-form.ts'
import { doneQuery } from './notices.ts'

const { rooms: words, lists } = consoleText

type Room = Data<'getDraft'>['draft']['rooms']['list'][number]

const members = ['name', 'building', 'address', 'capacity', 'description'] as const

const labels: Readonly<Record<string, string>> = words

/** Where organizers name rooms, and put them in order. */
export const roomsPage: ConsolePage = {
  path: '/console/rooms',
  operation: 'getDraft',
  tab: 'program',
  view: words.title,
  forms: [
    {
      path: '/console/rooms',
      operation: 'setRooms',
      readForm: readList('rooms', members, ({ capacity, ...values }) => ({ ...values, capacity: capacity || '0' })),
      explain: explainList(members, (member, name) => lists.ofRow(labels[member] ?? member, name)),
      next: (data, _, sent) => {
        const { revision } = (data as Data<'setRooms'>).rooms
        return `/console/rooms${doneQuery(String(revision) === sent.revision ? null : revision)}`
      },
    },
  ],
  async render(request) {
    const { attempt } = request
    const { rooms, events } = (await request.read('getDraft', {})).draft
    const stored = rooms.list.map((room) => ({ id: room.id, values: valuesOf(room) }))
    const edit = openList({ members, revision: rooms.revision, stored }, attempt)
    const isInUse = attempt?.failure?.reason === 'IN_USE'
    return {
      title: words.title,
      content: listForm({
        request,
        path: '/console/rooms',
        name: 'rooms',
        hint: words.hint,
        edit,
        heads: members.map((member) => words[member]),
        fields: ({ key }) => {
          const name = (member: (typeof members)[number]) => ({ name: fieldOf(member, key), label: words[member] })
          return html`${textField(edit, { ...name('name'), maxLength: 255 })}${textField(edit, name('building'))}${textField(edit, name('address'))}${textField(edit, { ...name('capacity'), type: 'number' })}${areaField(edit, { ...name('description'), rows: 1 })}`
        },
        counts: countsBy(events, 'room_id'),
        filter: 'room',
        uses: isInUse ? usesOf(events, 'room_id', removedIn(attempt.sent, members)) : new Map(),
        inUse: words.inUse,
      }),
    }
  },
}

const valuesOf = ({ name, building, address, capacity, description }: Room) => ({
  name,
  building,
  address,
  capacity: capacity === null ? '' : String(capacity),
  description,
})
