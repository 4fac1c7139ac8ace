/** The title of an event, for a query that joins it: `.leftJoin('event', 'event.id', 'feedback.program_id')`. */
export const titleColumn = 'event.title as session' as const
