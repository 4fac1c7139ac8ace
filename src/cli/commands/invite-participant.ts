import { rm } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../../server/config/config.ts'
import { commandName } from '../../server/core/command-name.ts'
import { OperatorError } from '../../server/core/errors.ts'
import { formatCount } from '../../server/core/format-count.ts'
import type { ParticipantId } from '../../server/core/ids.ts'
import { inviteParticipant, inviteParticipants } from '../../server/domains/organizers/invite-participant.ts'
import { fullNameOf } from '../../server/domains/participants/participants.ts'
import { commandScope } from '../../server/scope.ts'
import { identifyParticipant } from '../identify-record.ts'
import { drawInvitationSheet, drawQrCode } from '../invitation-sheet.ts'
import { createCsvWriter, writeNewFile } from '../list-file.ts'
import { withContext } from '../with-context.ts'

interface Options {
  qr?: boolean
  all?: boolean
  out?: string
  format?: Format
  replace?: boolean
}

type Format = 'csv' | 'html'

/** `summit participant invite ID` or `--all`: creates links with which participants sign in once. */
export async function invite(config: Config, idOrEmail: string | undefined, options: Options): Promise<void> {
  const { qr, all, out, format, replace } = options
  if ((idOrEmail === undefined) !== (all === true))
    throw new OperatorError('Give either the id or sign-in address of a participant, or --all.')
  if (idOrEmail !== undefined && (out ?? format ?? replace) !== undefined)
    throw new OperatorError('--out, --format and --replace are for --all.')
  if (all && qr) throw new OperatorError('--qr is for one participant. For a sheet of QR codes: --all --out links.html')
  if (all && config.access === 'open')
    throw new OperatorError(
      'With ACCESS=open no participant signs in, so nobody needs a link. Set ACCESS=public or members.',
    )
  if (config.publicUrl === undefined)
    throw new OperatorError('Set PUBLIC_URL: the link of the invitation begins with it.')
  if (idOrEmail !== undefined) return inviteOne(config, idOrEmail, qr ?? process.stdout.isTTY)
  if (!out?.trim()) throw new OperatorError('--all needs a new file for the links: --out links.csv, or links.html.')
  await inviteAll(config, { out, format: format ?? formatOf(out), replace: replace ?? false })
}

async function inviteOne(config: Config, idOrEmail: string, qr: boolean): Promise<void> {
  await withContext(config, async (ctx) => {
    const { first_name, last_name, id } = await identifyParticipant(ctx.database.read, idOrEmail)
    const { invitation } = await ctx.database.transaction((tx) =>
      inviteParticipant(commandScope(ctx, tx, 'participant invite'), id as ParticipantId),
    )
    console.log(`Invitation for ${`${first_name} ${last_name}`.trim()}, participant ${id}:\n`)
    console.log(`  ${invitation.link}\n`)
    if (qr) console.log(`${drawQrCode(invitation.link)}\n`)
    console.log(`It is shown only now, and can be used once, until ${invitation.expires_at}.`)
    if (config.access === 'open') console.log('With ACCESS=open no participant signs in; set ACCESS=public or members.')
  })
}

/** @throws OperatorError for another extension */
function formatOf(out: string): Format {
  const extension = extname(out).toLowerCase()
  if (extension === '.csv') return 'csv'
  if (extension === '.html' || extension === '.htm') return 'html'
  throw new OperatorError(`${out} ends in neither .csv nor .html. Add --format csv or --format html.`)
}

type Destination = Required<Pick<Options, 'out' | 'format' | 'replace'>>

type Invited = Awaited<ReturnType<typeof inviteParticipants>>

async function inviteAll(config: Config, { out, format, replace }: Destination): Promise<void> {
  await withContext(config, async (ctx) => {
    // The file is created first: if that fails, there are no links that nobody has.
    const result = await writeNewFile(out, async (to) => {
      const created = await ctx.database.transaction((tx) =>
        inviteParticipants(commandScope(ctx, tx, 'participant invite'), { replace }),
      )
      await writeLinks(created, format, to).catch(throwLost)
      return created
    })
    if (result.invited.length === 0) await rm(out)
    report(result, out)
  })
}

const writeLinks = (created: Invited, format: Format, to: Writable): Promise<void> =>
  format === 'csv'
    ? pipeline(Readable.from(rowsOf(created)), createCsvWriter(columns), to)
    : pipeline(Readable.from(drawInvitationSheet(created)), to)

const columns = ['id', 'name', 'login_email', 'link', 'expires_at'] as const

const rowsOf = ({ invited, expiresAt }: Invited): Record<(typeof columns)[number], string | number>[] =>
  invited.map(({ participant, loginEmail, link }) => ({
    id: participant.id,
    name: fullNameOf(participant),
    login_email: loginEmail,
    link,
    expires_at: expiresAt,
  }))

function throwLost(error: unknown): never {
  console.error(`The new links are lost. To replace them: ${commandName} participant invite --all --replace --out FILE`)
  throw error
}

function report({ invited, expiresAt, signedIn, withCodes, withLink }: Invited, out: string): void {
  if (invited.length === 0) console.log('There is nobody to invite, so no file was written.')
  else {
    console.log(`${formatCount(invited.length, 'invitation')}: ${resolve(out)}`)
    console.log(`Each link signs in one person, once, until ${expiresAt}. Whoever reads the file can use them.`)
  }
  if (signedIn > 0) console.log(`Left out: ${signedIn} who have a session, a key or a secret URL.`)
  if (withCodes > 0) console.log(`Left out: ${withCodes} who get codes by e-mail.`)
  if (withLink > 0)
    console.log(`Left out: ${withLink} who have a link that they have not used; --replace gives them a new one.`)
}
