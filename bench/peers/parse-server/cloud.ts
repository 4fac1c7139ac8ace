/** Parse Server runs this file as cloud code, with `Parse` as a global; only the members used here are declared. */
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

// A topic is read with its comments. Clients may not update topics, so the server adds the comment.
Parse.Cloud.afterSave('Comment', async ({ object: comment }) => {
  if (comment.existed()) return
  // Saving the comment's own `topic` would return it to the client with all its comments.
  const topic = Topic.createWithoutData(comment.get('topic').id)
  topic.add('comments', comment)
  await topic.save(null, { useMasterKey: true })
})
