/** A time of zeros stands for none. */
export const isTime = (timestamp: string): boolean => !timestamp.startsWith('0000')

export const toMinute = (timestamp: string): string => timestamp.slice(0, 'YYYY-MM-DD HH:MM'.length)
