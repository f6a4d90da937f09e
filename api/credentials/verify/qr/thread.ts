import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { inflateSync } from 'node:zlib'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { answerInputs } from '../../../../shared/threads/answer-inputs.ts'
import { imageKindOf, isTooLarge, pngRows, sizeOf } from './image.ts'

/**
 * A thread of its own for one image: it posts the texts of the QR codes in it, none where it is no image. Decoding takes
 * hundreds of milliseconds and has a memory of its own, both of which end with the thread.
 */
answerInputs((image: Uint8Array) => textsIn(Buffer.from(image)))

async function textsIn(image: Buffer): Promise<string[]> {
  if (!isDecodable(image)) return []
  // Named, because the library would otherwise fetch it from the network.
  const wasm = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')))
  prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(wasm).buffer } })
  try {
    // One more than is wanted tells that there are several.
    const found = await readBarcodes(image, { formats: ['QRCode'], tryHarder: true, maxNumberOfSymbols: 2 })
    return found.map(({ text }) => text)
  } catch {
    return []
  }
}

function isDecodable(image: Buffer): boolean {
  const kind = imageKindOf(image)
  const size = kind && sizeOf(image, kind)
  if (!size || isTooLarge(size)) return false
  // An interlaced PNG has up to twice as many rows. What inflates to more than its header says is not given to the decoder.
  return kind === 'jpeg' || inflatesTo(2 * size.rawBytes + 1000, pngRows(image))
}

function inflatesTo(maxOutputLength: number, rows: Buffer): boolean {
  try {
    inflateSync(rows, { maxOutputLength })
    return true
  } catch {
    return false
  }
}
