import type { FeedAuthor, FeedFile, Post, PostComment } from '../../../../contract/feed.ts'
import { text } from '../../../../web/text/en.ts'
import { momentFormatter } from '../dates.ts'
import { type Html, html } from '../html.ts'
import { type Frame, localPath } from '../layout.ts'
import { linkedText, outsideLink } from './linked-text.ts'
import { avatar } from './persons.ts'

const words = text.feed

/** The longest text in a list of posts. The rest is on the page of the post. */
const longestStart = { characters: 1_000, lines: 12 }

/** A post in a list. */
export function postItem(post: Post, frame: Frame): Html {
  const { id, header, body, like_count, comment_count } = post
  const path = `${frame.base}/feed/${id}`
  const start = startOf(body)
  return html`<li><article class="post">
${face(post, frame)}
<div>
${byline(post, frame)}
<h2 dir="auto"><a href="${path}">${header || words.untitled}</a></h2>
${start !== '' && html`<p class="prose plain" dir="auto">${linkedText(start)}${start !== body && html` … <a href="${path}">${words.more}</a>`}</p>\n`}${attachments(post, frame)}<p class="counts">${like_count > 0 && html`<span>${words.likes(like_count)}</span>\n`}<a href="${path}#comments">${comment_count === 0 ? words.noComments : words.comments(comment_count)}</a></p>
</div>
</article></li>
`
}

/** A post on its own page. */
export function wholePost(post: Post, frame: Frame): Html {
  const { header, body, like_count } = post
  return html`<article class="post">
${face(post, frame)}
<div>
${byline(post, frame)}
<h1 dir="auto">${header || words.untitled}</h1>
${body !== '' && html`<p class="prose plain" dir="auto">${linkedText(body)}</p>\n`}${attachments(post, frame)}${like_count > 0 && html`<p class="counts"><span>${words.likes(like_count)}</span></p>\n`}</div>
</article>`
}

/** A comment below its post. */
export const commentItem = (
  comment: PostComment,
  frame: Frame,
): Html => html`<li class="post" id="comment-${comment.id}">
${face(comment, frame)}
<div>
${byline(comment, frame)}
${comment.text !== '' && html`<p class="prose plain" dir="auto">${linkedText(comment.text)}</p>\n`}${attachments(comment, frame)}</div>
</li>
`

type Written = Pick<Post, 'author' | 'created_at' | 'edited_at' | 'files'>

/** The name of an author; undefined for somebody who was erased. */
export const authorName = ({ id, name }: FeedAuthor): string | undefined =>
  id === null ? undefined : name || text.people.nameless

const face = ({ author }: Written, frame: Frame): Html =>
  avatar(authorName(author) ?? '', localPath(frame, author.photo_url))

/** Who wrote it, and when. The script says how long ago that is; without it, the clocks of the conference count. */
function byline({ author, created_at, edited_at }: Written, { conference }: Frame): Html {
  const format = momentFormatter(conference?.time_zone ?? 'UTC')
  return html`<p class="byline"><b dir="auto">${authorName(author) ?? words.formerParticipant}</b> <time datetime="${created_at}" data-relative>${format(created_at)}</time>${edited_at !== null && html` <span title="${format(edited_at)}">${words.edited}</span>`}</p>`
}

/** The beginning of a text, to the end of a word. */
function startOf(body: string): string {
  const { characters, lines } = longestStart
  const start = body.split('\n', lines).join('\n')
  if (start.length <= characters) return start
  const cut = start.slice(0, characters)
  // One long word is cut anywhere but within a character.
  return (/^[\s\S]*(?=\s\S*$)/.exec(cut)?.[0] ?? cut.replace(/[\uD800-\uDBFF]$/, '')).trimEnd()
}

/** The pictures, and below them what is none. */
function attachments({ author, files }: Written, frame: Frame): Html {
  const local = files.map((file) => ({ ...file, path: localPath(frame, file.url) }))
  const pictures = local.filter(({ is_image, path }) => is_image && path !== undefined)
  const others = local.filter((file) => !pictures.includes(file))
  const name = authorName(author) ?? words.formerInSentence
  const altOf = (nth: number) =>
    pictures.length === 1 ? words.photoBy(name) : words.photoOf(nth, pictures.length, name)
  return html`${
    pictures.length > 0 &&
    html`<ul class="pictures">
${pictures.map(({ path }, index) => html`<li><a href="${path}"><img src="${path}" alt="${altOf(index + 1)}" loading="lazy"></a></li>\n`)}</ul>
`
  }${
    others.length > 0 &&
    html`<ul class="files">
${others.map(({ path, ...file }) => html`<li>${fileLink(file, path)}</li>\n`)}</ul>
`
  }`
}

const longestUrl = 80

/** A file to download, or a link to one elsewhere. */
function fileLink({ url, name, size }: FeedFile, path: string | undefined): Html {
  if (path === undefined || name === '')
    return outsideLink(url, url.length > longestUrl ? `${url.slice(0, longestUrl)}…` : url)
  return html`<a href="${path}" download="${name}"><b dir="auto">${name}</b> <span class="quiet">${words.download}${size !== null && html`, ${words.size(size)}`}</span></a>`
}
