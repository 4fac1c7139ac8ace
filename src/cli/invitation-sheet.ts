import { encode, renderSVG } from 'uqr'
import type { InvitedParticipant } from '../server/domains/organizers/invite-participant.ts'
import { fullNameOf } from '../server/domains/participants/participants.ts'
import { Html, html } from '../server/http/pages/html.ts'

interface Sheet {
  invited: readonly InvitedParticipant[]
  /** When the links end, as in responses. */
  expiresAt: string
}

/** Five rows of two cards of 50 mm fit between the margins on A4 and on Letter. */
const cardsPerPage = 10

/** Lengths are fixed, so that every page of a print has whole cards; what is too long for its card is cut off. */
const style = `
@page { margin: 12mm }
* { box-sizing: border-box; margin: 0 }
body { font-family: system-ui, sans-serif; color: #000; background: #fff }
.page { display: grid; grid-template-columns: 1fr 1fr; width: 186mm; margin: 0 auto; break-after: page }
.page:last-child { break-after: auto }
.card { display: flex; gap: 2mm; height: 50mm; padding: 3mm; overflow: hidden; border: 0.2mm dashed #767676 }
.card svg { flex: none; width: 42mm; height: 42mm }
.card div { min-width: 0; overflow-wrap: anywhere }
h2 { display: -webkit-box; max-height: 15mm; overflow: hidden; font-size: 11pt; line-height: 5mm;
  -webkit-box-orient: vertical; -webkit-line-clamp: 3 }
p { margin-top: 1mm; font-size: 7pt; line-height: 3mm }
.link { font-family: ui-monospace, monospace; font-size: 6pt; line-height: 2.6mm }
@media screen { .page { margin: 12mm auto } }
`

/** A page to print and to cut up: a card with a QR code for each participant. It loads nothing. */
export function* drawInvitationSheet({ invited, expiresAt }: Sheet): Generator<string> {
  yield html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Invitations</title>
<style>${new Html(style)}</style>
`.text
  for (let start = 0; start < invited.length; start += cardsPerPage)
    yield html`<section class="page">
${invited.slice(start, start + cardsPerPage).map((card) => drawCard(card, expiresAt))}</section>
`.text
  yield '</html>\n'
}

const drawCard = ({ participant, link }: InvitedParticipant, expiresAt: string): Html => html`<article class="card">
${new Html(drawQrSvg(link))}
<div>
<h2 dir="auto">${fullNameOf(participant)}</h2>
<p>Scan the code to sign in. It works once, until ${expiresAt}.</p>
<p class="link">${link}</p>
</div>
</article>
`

/** ISO/IEC 18004, 9.1: a scanner needs a margin of four modules. */
const margin = 4

/** Black on white, in any colours of the terminal (ECMA-48, 8.3.117). */
const blackOnWhite = (line: string): string => `\u001B[30;107m${line}\u001B[0m`

/** Draws a QR code for a terminal, with two modules in each character. */
export function drawQrCode(text: string): string {
  const { data, size } = encode(text, { ecc: 'L', border: margin })
  const isBlack = (x: number, y: number): boolean => data[y]?.[x] ?? false
  const lines = Array.from({ length: Math.ceil(size / 2) }, (_, row) =>
    Array.from({ length: size }, (_, x) => blocks(isBlack(x, 2 * row), isBlack(x, 2 * row + 1))).join(''),
  )
  return lines.map(blackOnWhite).join('\n')
}

/** Draws a QR code for print, which may get dirty or creased. */
const drawQrSvg = (text: string): string => renderSVG(text, { ecc: 'M', border: margin, pixelSize: 1 })

const blocks = (isUpper: boolean, isLower: boolean): string => (isUpper ? (isLower ? '█' : '▀') : isLower ? '▄' : ' ')
