import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import type { OutboundResponse } from './exchange.ts'
import { OutboundError } from './outbound-error.ts'

/** The value of `Accept-Encoding` for responses that `decodeBody` reads. */
export const acceptedCodings = 'gzip, deflate, br'

/** A body over `ratioFreeBytes` can be at most this much larger than its encoded form. */
const maxRatio = 200
const ratioFreeBytes = 100_000

type Decompress = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>

const ungzip: Decompress = promisify(gunzip)
const unzlib: Decompress = promisify(inflate)
const undeflate: Decompress = promisify(inflateRaw)
const unbrotli: Decompress = promisify(brotliDecompress)

const decompressors: Readonly<Record<string, Decompress>> = {
  gzip: ungzip,
  'x-gzip': ungzip,
  // RFC 9110, section 8.4.1.2: some servers send the data without the zlib wrapper.
  deflate: (bytes, options) => (hasZlibHeader(bytes) ? unzlib : undeflate)(bytes, options),
  br: unbrotli,
}

/**
 * Returns the response with the body that its `Content-Encoding` describes (RFC 9110, section 8.4), and without the headers of the encoded
 * form. Throws OutboundError `too_large` for more than `maxBytes` or a suspicious ratio, and `encoding` for another coding or damaged data.
 */
export async function decodeBody(response: OutboundResponse, maxBytes: number): Promise<OutboundResponse> {
  const coding = codingOf(response)
  if (coding === 'identity' || response.body.length === 0) return response
  const decompress = Object.hasOwn(decompressors, coding) ? decompressors[coding] : undefined
  if (!decompress) throw new OutboundError('encoding', { detail: `only ${acceptedCodings} are accepted` })
  const maxOutputLength = Math.min(maxBytes, Math.max(ratioFreeBytes, response.body.length * maxRatio))
  const { 'content-encoding': _, 'content-length': __, ...headers } = response.headers
  return { ...response, headers, body: await decompressed(decompress, response.body, maxOutputLength) }
}

/** Returns the codings in the order in which they were applied. A combination of several is in no table, so it is refused. */
function codingOf({ headers }: OutboundResponse): string {
  const codings = [headers['content-encoding'] ?? []].flat().join(',').toLowerCase().split(',')
  const applied = codings.map((coding) => coding.trim()).filter((coding) => coding !== '' && coding !== 'identity')
  return applied.join(',') || 'identity'
}

async function decompressed(decompress: Decompress, bytes: Buffer, maxOutputLength: number): Promise<Buffer> {
  try {
    return await decompress(bytes, { maxOutputLength })
  } catch (error) {
    if (error instanceof RangeError) throw new OutboundError('too_large')
    throw new OutboundError('encoding', { detail: 'the compressed data is damaged or incomplete' })
  }
}

/** RFC 1950, section 2.2: the method is 8, and the first two bytes are a multiple of 31. */
function hasZlibHeader([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 15) === 8 && (first * 256 + second) % 31 === 0
}
