import { startTestApp } from '../../app.ts'
import { addConference } from '../read-page.ts'
import { signInToConsole } from './organizer.ts'

// What tests of the import of a program share.

/** The button that plans a file. */
export const plan = 'Show what it would change'

const header = 'ID,Title,Start,End,Room,Speaker'
export const rows = {
  opening: '1,Opening,2030-05-02 09:00,2030-05-02 10:00,Hall,Ana Cruz',
  boats: '2,Boats,2030-05-02 11:00,2030-05-02 12:00,Pier,Ben Day',
  closing: '3,Closing,2030-05-03 17:00,2030-05-03 18:00,Hall,Ana Cruz',
}

export const toFile = (lines: readonly string[], name = 'program.csv') => new File([lines.join('\n')], name)
export const csv = (...lines: string[]) => toFile([header, ...lines])

/** A summit without sessions, and the console of its owner. */
export async function startImporting() {
  const t = await startTestApp()
  await addConference(t)
  const eva = await signInToConsole(t)
  /** Plans a file and imports all of it. */
  const importAll = async (file: File, draft = 'false') => {
    const planned = await eva.submit('/console/import', plan, { file, draft })
    return eva.submit(planned, 'Import', { file })
  }
  const titles = async () =>
    (await t.client.getSchedule({})).schedule.events.map(({ title, is_cancelled }) =>
      is_cancelled ? `(${title})` : title,
    )
  return { ...t, eva, importAll, titles }
}
