import { encode as encodePng } from 'fast-png'
import { encode } from 'uqr'
import { minuteMs } from '../../../shared/clock.ts'
import { type Html, html } from '../../../shared/pages/html.ts'
import type { Deps } from '../../deps.ts'
import { defineCache } from '../../process/caches.ts'
import { maxQrTextLength, type OfferUriInput, offerUri } from '../offers/offer-object.ts'

/** The quiet zone in modules, which readers require (ISO/IEC 18004, section 6.3.8). */
const quietZone = 4

/** The available width for a code on the narrowest screens and on all others (style.ts). */
const widthsPx = { narrow: 296, wide: 400 }

/** A QR code of `size` by `size` modules, and the outlines of its dark modules. */
interface QrDrawing {
  size: number
  path: string
}

const maxQrCodeBytes = 16_000_000
/** Most offers expire within this time. */
const qrCodeTtlMs = 10 * minuteMs

/** QR codes, by their text. */
const qrCodesCache = defineCache<string, QrDrawing>('qrCodes', {
  maxSize: maxQrCodeBytes,
  sizeCalculation: ({ path }, text) => path.length + text.length,
  ttl: qrCodeTtlMs,
})

/**
 * Returns a code as markup, with the rules for its width. Each module is a whole number of pixels, because readers fail
 * on uneven modules.
 */
export function qrOnPage({ caches }: Pick<Deps, 'caches'>, text: string, label: string): { svg: Html; style: string } {
  // Drawing takes milliseconds, so the result is cached for reloads of the page.
  const cache = caches.of(qrCodesCache)
  const drawing = cache.get(text) ?? drawingOf(text)
  cache.set(text, drawing)
  const { size } = drawing
  const rule = (px: number) => `.qr svg{width:${Math.max(1, Math.floor(px / size)) * size}px}`
  const { narrow, wide } = widthsPx
  return { svg: draw(drawing, label), style: `${rule(narrow)}\n@media (min-width:28rem){${rule(wide)}}\n` }
}

/** Returns the text of a code: the URI of the offer. */
export function qrTextOf(offer: OfferUriInput): string {
  return offerUri(offer, maxQrTextLength)
}

/**
 * Returns the modules row by row, true for dark, including the quiet zone. The lowest error correction level has the
 * largest modules. A higher level is used if the size stays the same.
 */
function modulesOf(text: string): boolean[][] {
  const code = (minVersion: number) => encode(text, { ecc: 'L', boostEcc: true, border: quietZone, minVersion })
  const smallest = code(1)
  // The library jsQR, which many readers use, cannot read version 23 (its issue 251).
  return (smallest.version === 23 ? code(24) : smallest).data
}

/** Returns an SVG that includes its label, for embedding. */
export function qrSvg(text: string, label: string): string {
  return draw(drawingOf(text), label).markup
}

/** Draws one path, which is small and sharp. */
function drawingOf(text: string): QrDrawing {
  const rows = modulesOf(text)
  const path = rows.flatMap((row, y) => runsOf(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`)).join('')
  return { size: rows.length, path }
}

function draw({ size, path }: QrDrawing, label: string): Html {
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`
}

/** Returns the start and width of each dark run of a row. */
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

/** Returns a black and white PNG with 8 pixels per module. */
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
