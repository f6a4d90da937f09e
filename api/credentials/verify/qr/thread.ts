import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { inflateSync } from 'node:zlib'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { answerInputs } from '../../../../shared/threads/answer-inputs.ts'
import { detectImageType, isTooLarge, pngRows, readImageSize } from './image.ts'

/**
 * A thread for one image. It posts the texts of the QR codes, or an empty list for a file that is not an image. Decoding takes
 * hundreds of milliseconds. The end of the thread stops the decoding and frees its memory.
 */
answerInputs((image: Uint8Array) => readQrCodes(Buffer.from(image)))

async function readQrCodes(image: Buffer): Promise<string[]> {
  if (!isDecodable(image)) return []
  // Passes the WebAssembly file, because the library fetches it from the network otherwise.
  const wasm = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')))
  prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(wasm).buffer } })
  try {
    // Reads up to two codes, to detect an image with more than one.
    const codes = await readBarcodes(image, { formats: ['QRCode'], tryHarder: true, maxNumberOfSymbols: 2 })
    return codes.map(({ text }) => text)
  } catch {
    return []
  }
}

function isDecodable(image: Buffer): boolean {
  const kind = detectImageType(image)
  const size = kind && readImageSize(image, kind)
  if (!size || isTooLarge(size)) return false
  // An interlaced PNG has up to twice as many rows. An image that inflates to more than its header declares is not decoded.
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
