import type { Data } from '../../../../contract/index.ts'
import { consoleText } from '../../../../web/text/en-console.ts'
import { trackStyle } from '../attendee/site.ts'
import { html } from '../html.ts'
import type { ConsolePage } from './console.ts'
import { checkField, textField } from './fields.ts'
import { explainList, fieldOf, openList, readList, removedIn } from './list-edit.ts'
import { countsBy, listForm, usesOf } from './list-form.ts'
import { doneQuery } from './notices.ts'

const { tracks: words, lists } = consoleText

type Track = Data<'getDraft'>['draft']['tracks']['list'][number]

/** A field for a colour always has one, so a box says whether the track has none. */
const members = ['name', 'color', 'plain'] as const

const labels: Readonly<Record<string, string>> = words

/** What the field for a colour shows where there is none. */
const blank = { color: '#808080', plain: 'true' }

/** Where organizers name tracks, give them colours, and put them in order. */
export const tracksPage: ConsolePage = {
  path: '/console/tracks',
  operation: 'getDraft',
  tab: 'program',
  view: words.title,
  forms: [
    {
      path: '/console/tracks',
      operation: 'setTracks',
      // Whoever chooses a colour may leave the box ticked.
      readForm: readList('tracks', members, ({ name, color, plain }, isChanged) => ({
        name,
        color: plain === 'true' && (isChanged('plain') || !isChanged('color')) ? '' : color,
      })),
      explain: explainList(members, (member, name) => lists.ofRow(labels[member] ?? member, name)),
      next: (data, _, sent) => {
        const { revision } = (data as Data<'setTracks'>).tracks
        return `/console/tracks${doneQuery(String(revision) === sent.revision ? null : revision)}`
      },
    },
  ],
  async render(request) {
    const { attempt } = request
    const { tracks, events } = (await request.read('getDraft', {})).draft
    const stored = tracks.list.map((track) => ({ id: track.id, values: valuesOf(track) }))
    const edit = openList({ members, revision: tracks.revision, stored, blank }, attempt)
    const isInUse = attempt?.failure?.reason === 'IN_USE'
    return {
      title: words.title,
      style: trackStyle(tracks.list),
      content: listForm({
        request,
        path: '/console/tracks',
        name: 'tracks',
        hint: words.hint,
        edit,
        heads: [words.name, words.color],
        fields: ({ key, id }) =>
          html`${textField(edit, { name: fieldOf('name', key), label: words.name })}<div class="colour">${textField(edit, { name: fieldOf('color', key), label: words.color, type: 'color' })}${id !== undefined && html`<span class="track track-${id}" aria-hidden="true"></span>`}${checkField(edit, { name: fieldOf('plain', key), label: words.plain })}</div>`,
        counts: countsBy(events, 'track_id'),
        filter: 'track',
        uses: isInUse ? usesOf(events, 'track_id', removedIn(attempt.sent, members)) : new Map(),
        inUse: words.inUse,
      }),
    }
  },
}

const valuesOf = ({ name, color }: Track) => (color === '' ? { name, ...blank } : { name, color, plain: '' })
