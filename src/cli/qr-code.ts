import { encode, renderSVG } from 'uqr'

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
export const drawQrSvg = (text: string): string => renderSVG(text, { ecc: 'M', border: margin, pixelSize: 1 })

const blocks = (isUpper: boolean, isLower: boolean): string => (isUpper ? (isLower ? '█' : '▀') : isLower ? '▄' : ' ')
