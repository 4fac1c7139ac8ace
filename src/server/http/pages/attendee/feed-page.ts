import { text } from '../../../../web/text/en.ts'
import { Failure } from '../../../core/failure.ts'
import type { TopicId } from '../../../core/ids.ts'
import { html } from '../html.ts'
import type { Page } from '../layout.ts'
import { addressOf, pager, skippedIn } from '../paging.ts'
import { commentItem, postItem, wholePost } from './posts.ts'
import { type AttendeePage, idIn, type Redirect } from './site.ts'

const words = text.feed

const postsPerPage = 20

/** All posts, the newest first. */
export const feedPage: AttendeePage = {
  path: '/feed',
  operation: 'readFeed',
  query: ['from'],
  render: async ({ read, frame, query }): Promise<Page | Redirect> => {
    const from = skippedIn(query)
    const { posts, post_count } = await read('readFeed', { offset: from, limit: postsPerPage })
    if (posts.length === 0 && from > 0) return { redirect: '/feed' }
    return {
      title: words.title,
      tab: 'feed',
      content: html`${posts.length === 0 && html`<div class="empty"><h2>${words.empty}</h2><p>${words.emptyHint}</p></div>`}
${posts.length > 0 && html`<ul class="feed">\n${posts.map((post) => postItem(post, frame))}</ul>`}
${pager({
  path: `${frame.base}/feed`,
  from,
  size: postsPerPage,
  hasNext: from + postsPerPage < post_count,
  words: { previous: words.newer, next: words.older },
})}`,
    }
  },
}

const commentsPerPage = 50

/**
 * A post with its comments. They begin with the oldest, since each answers those before it, and whoever comes from the feed
 * has read none. A long thread has a link to its end, for those who come back.
 */
export const threadPage: AttendeePage = {
  path: '/feed/:id',
  operation: 'readThread',
  query: ['from'],
  render: async ({ read, frame, params, query }): Promise<Page | Redirect> => {
    const from = skippedIn(query)
    const topic_id = idIn<TopicId>(params, new Failure('TOPIC_NOT_FOUND'))
    const { post, comments } = await read('readThread', { topic_id, offset: from, limit: commentsPerPage })
    const { comment_count } = post
    if (comments.length === 0 && from > 0) return { redirect: `/feed/${post.id}` }
    const path = `${frame.base}/feed/${post.id}`
    const last = Math.floor(Math.max(0, comment_count - 1) / commentsPerPage) * commentsPerPage
    const hasSeveralPages = comment_count > comments.length
    return {
      title: post.header || words.untitled,
      tab: 'feed',
      heading: html`<p><a class="back" href="${frame.base}/feed">${words.title}</a></p>
${wholePost(post, frame)}`,
      content: html`<section class="comments" id="comments">
<h2>${comment_count === 0 ? words.noComments : words.comments(comment_count)}</h2>
${hasSeveralPages && html`<p class="hint">${words.shown(from + 1, from + comments.length)}${from + comments.length < comment_count && html` <a class="button" href="${addressOf(path, { from: String(last) })}#comments">${words.latestComments}</a>`}</p>`}
${comments.length > 0 && html`<ol class="feed">\n${comments.map((comment) => commentItem(comment, frame))}</ol>`}
${pager({
  path,
  from,
  size: commentsPerPage,
  hasNext: from + comments.length < comment_count,
  words: { previous: words.olderComments, next: words.newerComments },
  fragment: '#comments',
})}
</section>`,
    }
  },
}
