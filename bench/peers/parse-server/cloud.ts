/** The cloud code of the measured Parse Server, which makes `Parse` global; this much of it is used. */
declare const Parse: {
  Cloud: { afterSave(className: string, run: (request: { object: ParseObject }) => Promise<unknown>): void }
  Object: { extend(className: string): { createWithoutData(id: string): ParseObject } }
}

interface ParseObject {
  id: string
  existed(): boolean
  get(key: string): ParseObject
  add(key: string, item: ParseObject): void
  save(values: null, options: { useMasterKey: boolean }): Promise<unknown>
}

const Topic = Parse.Object.extend('Topic')

// A topic is read with its comments. Whoever comments may not change topics, so the server adds it.
Parse.Cloud.afterSave('Comment', async ({ object: comment }) => {
  if (comment.existed()) return
  // The comment's own `topic` would be sent back with all of its comments.
  const topic = Topic.createWithoutData(comment.get('topic').id)
  topic.add('comments', comment)
  await topic.save(null, { useMasterKey: true })
})
