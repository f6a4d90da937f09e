import { encode as encodePng } from 'fast-png'
import { encode } from 'uqr'
import { type Html, html } from '../../../shared/pages/html.ts'
import type { Deps } from '../../deps.ts'
import type { QrDrawing } from '../caches.ts'
import { type HandedOver, longestQrText, offerUri } from '../offers/offer-object.ts'

/** In modules: readers want it (ISO/IEC 18004, section 6.3.8). */
const quietZone = 4

/** What there is for a code on the narrowest screens, and on all others (style.ts). */
const widthsPx = { narrow: 296, wide: 400 }

/** A code in markup, and the rules for how wide it is: each module a whole number of pixels, or readers lose their way in it. */
export function qrOnPage({ caches }: Pick<Deps, 'caches'>, text: string, label: string): { svg: Html; style: string } {
  // Made in milliseconds, for whoever reloads the page.
  const drawing = caches.qrCodes.get(text) ?? drawingOf(text)
  caches.qrCodes.set(text, drawing)
  const { size } = drawing
  const rule = (px: number) => `.qr svg{width:${Math.max(1, Math.floor(px / size)) * size}px}`
  const { narrow, wide } = widthsPx
  return { svg: draw(drawing, label), style: `${rule(narrow)}\n@media (min-width:28rem){${rule(wide)}}\n` }
}

/** What a code says: the offer's URI. */
export function qrTextOf(offer: HandedOver): string {
  return offerUri(offer, longestQrText)
}

/**
 * The modules row by row, true where it is dark, with the quiet zone. The lowest level of correction has the largest modules; a
 * higher one is taken where it costs none.
 */
function modulesOf(text: string): boolean[][] {
  const code = (minVersion: number) => encode(text, { ecc: 'L', boostEcc: true, border: quietZone, minVersion })
  const smallest = code(1)
  // A reader that much is built with, jsQR, knows version 23 wrongly and reads none of it (its issue 251).
  return (smallest.version === 23 ? code(24) : smallest).data
}

/** It says what it is by itself, for those who embed it. */
export function qrSvg(text: string, label: string): string {
  return draw(drawingOf(text), label).markup
}

/** One path, so that it is small and sharp. */
function drawingOf(text: string): QrDrawing {
  const rows = modulesOf(text)
  const path = rows.flatMap((row, y) => runsOf(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`)).join('')
  return { size: rows.length, path }
}

function draw({ size, path }: QrDrawing, label: string): Html {
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`
}

/** Where the dark runs of a row begin, and how long they are. */
function runsOf(row: boolean[]): [start: number, width: number][] {
  const runs: [number, number][] = []
  row.forEach((isDark, x) => {
    if (!isDark) return
    const last = runs.at(-1)
    if (last && last[0] + last[1] === x) last[1]++
    else runs.push([x, 1])
  })
  return runs
}

const pixelsPerModule = 8

/** Black and white, with 8 pixels for each module. */
export function qrPng(text: string): Uint8Array {
  const rows = modulesOf(text)
  const size = rows.length * pixelsPerModule
  const data = new Uint8Array(size * size)
  for (let y = 0; y < size; y++) {
    const row = rows[Math.floor(y / pixelsPerModule)] ?? []
    for (let x = 0; x < size; x++) data[y * size + x] = row[Math.floor(x / pixelsPerModule)] ? 0 : 255
  }
  return encodePng({ width: size, height: size, data, channels: 1, depth: 8 })
}
