import type { Config } from '../../config/config.ts'

/**
 * The day of the week in the configured convention.
 * @param date `YYYY-MM-DD`
 * @returns one digit: ISO 8601 Monday 1 … Sunday 7; MySQL's DAYOFWEEK Sunday 1 … Saturday 7; JavaScript Sunday 0 … 6
 */
export function dayOfWeek(date: string, convention: Config['dayOfWeek']): string {
  const fromSunday = new Date(`${date}T00:00:00Z`).getUTCDay()
  return String({ iso: fromSunday || 7, mysql: fromSunday + 1, js: fromSunday }[convention])
}
