import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { decode } from 'fast-png'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const folder = new URL('../../docs/pictures/', import.meta.url)

/** `npm run docs:pictures` writes the pictures instead of comparing them. */
const isWriting = process.env.PICTURES === 'write'

/** The side of a cell in pixels. The letters of another font change the mean colour of a cell little. */
const cell = 24

/** The distance that another font, other times and other ids can cause. The distance of a white and a black picture is 1. */
const maxDistance = 0.02

/**
 * Compares the screen with the picture `docs/pictures/<name>.png` and with the text in `<name>.txt` beside it. The sizes and the texts must
 * be equal, except for times, numbers and ids. The colours of cells can differ a little, because fonts differ between machines.
 */
export async function comparePicture(page: Page, name: string): Promise<void> {
  const picture = new URL(`${name}.png`, folder)
  const words = new URL(`${name}.txt`, folder)
  const png = await page.screenshot({ animations: 'disabled' })
  const seenText = lastingText((await page.evaluate('document.body.innerText')) as string)
  if (isWriting) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(picture, png)
    writeFileSync(words, seenText)
    return
  }
  const advice = `docs/pictures/${name} is not what the page shows. Run: npm run docs:pictures`
  expect(seenText, advice).toBe(readFileSync(words, 'utf8'))
  expect(distanceOf(png, readFileSync(picture)), advice).toBeLessThan(maxDistance)
}

/** Replaces what differs between two runs: ids, months, days of the week, numbers. */
function lastingText(text: string): string {
  return `${text
    .replace(/\b[0-9a-f]{8}(-?[0-9a-f…]*)*/g, '(id)')
    .replace(/\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]*\b/g, '(month)')
    .replace(/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/g, '(weekday)')
    .replace(/\d+([.,:]\d+)*/g, '0')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n')
    .trim()}\n`
}

/** Returns the mean difference of the brightness of cells, between 0 and 1. Pictures of different sizes have the distance 1. */
export function distanceOf(one: Uint8Array, other: Uint8Array): number {
  const [cells, otherCells] = [cellsOf(one), cellsOf(other)]
  if (cells.size !== otherCells.size) return 1
  const differences = cells.means.map((mean, at) => Math.abs(mean - (otherCells.means[at] ?? 0)))
  return differences.reduce((sum, each) => sum + each, 0) / differences.length
}

/** Returns the mean brightness of each cell, between 0 and 1. */
function cellsOf(png: Uint8Array): { size: string; means: number[] } {
  const { width, height, channels, data } = decode(png)
  const columns = Math.ceil(width / cell)
  const sums = new Float64Array(columns * Math.ceil(height / cell))
  const counts = new Float64Array(sums.length)
  for (let at = 0; at < width * height; at++) {
    const index = Math.floor(Math.floor(at / width) / cell) * columns + Math.floor((at % width) / cell)
    const [red = 0, green = red, blue = red] = data.subarray(at * channels, at * channels + Math.min(channels, 3))
    sums[index] = (sums[index] ?? 0) + (red + green + blue) / 765
    counts[index] = (counts[index] ?? 0) + 1
  }
  return { size: `${width} x ${height}`, means: Array.from(sums, (sum, index) => sum / (counts[index] ?? 1)) }
}
