import { expect, test } from 'vitest'
import { browserMissing, openBrowser } from '../../test/browser.ts'
import type { InvitedParticipant } from '../server/domains/organizers/invite-participant.ts'
import { drawInvitationSheet } from './invitation-sheet.ts'

const names = ['Ana', 'x'.repeat(255), 'a word '.repeat(36), '<b>', 'بن عبد الله']

const invited = Array.from({ length: 400 }, (_, index) => ({
  participant: { first_name: names[index % names.length], last_name: names[index % names.length] },
  loginEmail: '',
  link: `https://summit.example/a/long/path/before/the/pages/sign-in#smt_${'x'.repeat(43)}`,
})) as InvitedParticipant[]

test.skipIf(browserMissing !== undefined).each(['A4', 'Letter'])(
  '400 invitations print on 40 pages of %s',
  async (format) => {
    await using browser = await openBrowser()
    const page = await browser.newPage()
    await page.setContent([...drawInvitationSheet({ invited, expiresAt: '2030-05-03 00:00:00' })].join(''))
    await page.emulateMedia({ media: 'print' })
    const cutOff = await page
      .locator('.link')
      .evaluateAll((links) =>
        links.filter(
          (link) => link.getBoundingClientRect().bottom > (link.closest('.card')?.getBoundingClientRect().bottom ?? 0),
        ),
      )
    expect(cutOff).toEqual([])
    const pdf = (await page.pdf({ format })).toString('latin1')
    expect(pdf.match(/\/Type \/Page\s/g)).toHaveLength(40)
  },
)
