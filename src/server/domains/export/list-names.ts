/** The names of all lists that can be exported, as the organizer types them. */
export const exportedListNames = [
  'participants',
  'topics',
  'comments',
  'likes',
  'files',
  'events',
  'activities',
  'feedback',
] as const

export type ExportedListName = (typeof exportedListNames)[number]
