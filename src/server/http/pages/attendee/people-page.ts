import type { Participant, ParticipantProfile } from '../../../../contract/participants.ts'
import { text } from '../../../../web/text/en.ts'
import { Failure } from '../../../core/failure.ts'
import type { ParticipantId } from '../../../core/ids.ts'
import { Links } from '../../../core/links.ts'
import { type Html, html } from '../html.ts'
import { type Frame, localPath, type Page } from '../layout.ts'
import { pager, searchedIn, skippedIn } from '../paging.ts'
import { personItem, personSearch, profileHeading } from './persons.ts'
import { type AttendeePage, idIn, type PageRequest, type Redirect } from './site.ts'

const words = text.people

const peoplePerPage = 50

/** The directory, or those in it who are found. */
export const peoplePage: AttendeePage = {
  path: '/people',
  operation: 'listParticipants',
  query: ['q', 'from'],
  render: async ({ read, frame, query }): Promise<Page | Redirect> => {
    const from = skippedIn(query)
    const q = searchedIn(query)
    const { people, count, hasNext } = await readPeople(read, q, from)
    const path = `${frame.base}/people`
    if (people.length === 0 && from > 0)
      return { redirect: q === '' ? '/people' : `/people?${new URLSearchParams({ q })}` }
    return {
      title: words.title,
      tab: 'people',
      content: html`${people.length === 0 && q === '' ? html`<div class="empty"><h2>${words.empty}</h2><p>${words.emptyHint}</p></div>` : personSearch({ path, q, label: words.search, placeholder: words.placeholder, count })}
${people.length > 0 && html`<ul class="people">\n${people.map((person) => participantItem(person, frame))}</ul>`}
${pager({ path, query: { q }, from, size: peoplePerPage, hasNext, words })}`,
    }
  },
}

/** @returns also how many are found; undefined without a search */
async function readPeople(read: PageRequest['read'], q: string, offset: number) {
  if (q !== '') {
    const found = await read('searchParticipants', { q, offset, limit: peoplePerPage })
    const { participants: people, participant_count: count } = found
    return { people, count, hasNext: offset + people.length < count }
  }
  const { participants } = await read('listParticipants', { offset, limit: peoplePerPage + 1 })
  return { people: participants.slice(0, peoplePerPage), hasNext: participants.length > peoplePerPage }
}

const participantItem = ({ id, full_name, designation, photo }: Participant, frame: Frame): Html =>
  personItem({
    path: `${frame.base}/people/${id}`,
    name: full_name,
    about: designation,
    photo: localPath(frame, new Links(frame.baseUrl, '').photo(photo ?? '')),
  })

/** Somebody in the directory. */
export const personPage: AttendeePage = {
  path: '/people/:id',
  operation: 'readParticipant',
  render: async ({ read, frame, params }): Promise<Page> => {
    const participantId = idIn<ParticipantId>(params, new Failure('PARTICIPANT_NOT_FOUND'))
    const { participant } = await read('readParticipant', { participantId })
    const { full_name: name, designation: about, photo_url } = participant
    return {
      title: name || words.nameless,
      tab: 'people',
      heading: html`<p><a class="back" href="${frame.base}/people">${words.title}</a></p>
${profileHeading({ name, about, photo_url }, frame)}`,
      // Where nobody signs in, everybody on the internet reads the pages.
      content: html`${frame.audience !== 'open' && contactsOf(participant)}`,
    }
  },
}

/** What the participant lets the audience see. */
function contactsOf({ email, mobile_no, employee_no }: ParticipantProfile): Html | undefined {
  if (email === '' && mobile_no === '' && employee_no === '') return undefined
  const fact = (name: string, value: string, link: string | undefined) =>
    value !== '' &&
    html`<dt>${name}</dt><dd>${link === undefined ? html`<span dir="auto">${value}</span>` : html`<a href="${link}" dir="ltr">${value}</a>`}</dd>\n`
  return html`<dl class="facts contacts">
${fact(words.email, email, mailLink(email))}${fact(words.mobile, mobile_no, phoneLink(mobile_no))}${fact(words.employeeNo, employee_no, undefined)}</dl>`
}

/** Encoded, as a `?` would begin a subject or another recipient (RFC 6068). */
const mailLink = (email: string): string | undefined =>
  /^[^\s@]+@[^\s@]+$/.test(email)
    ? `mailto:${email.toWellFormed().split('@').map(encodeURIComponent).join('@')}`
    : undefined

/** Without what people write for the eye (RFC 3966). */
function phoneLink(number: string): string | undefined {
  const digits = number.replace(/\(0\)/, '').replace(/[\s()./-]/g, '')
  return /^\+?\d{3,}$/.test(digits) ? `tel:${digits}` : undefined
}
