import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'

/**
 * The bit of an entry in its byte. The first entry is the highest bit, as in @digitalbazaar/bitstring since 3.0. Neither the compact
 * formats nor RevocationList2020 define the order, so that this is a decision of this service.
 */
const firstOfByte = 0b1000_0000

/** Returns a bit for each of `size` entries, set at these positions. Throws for a position outside of the list. */
export function bitsOf(positions: Iterable<number>, size: number): Buffer {
  const bits = Buffer.alloc(Math.ceil(size / 8))
  for (const position of positions) {
    if (!Number.isInteger(position) || position < 0 || position >= size) {
      throw new Error(`a list of ${size} entries has no entry ${position}`)
    }
    const at = position >>> 3
    bits.writeUInt8(bits.readUInt8(at) | (firstOfByte >>> (position & 7)), at)
  }
  return bits
}

/** Returns whether the bit of an entry is set, or undefined if the list has no such entry. */
export function isBitSet(bits: Uint8Array, position: number): boolean | undefined {
  if (!Number.isSafeInteger(position) || position < 0) return undefined
  const byte = bits[Math.floor(position / 8)]
  return byte === undefined ? undefined : (byte & (firstOfByte >>> (position % 8))) !== 0
}

/** Compresses the bits of a list with gzip (RFC 1952), on another thread. */
export async function gzipBits(bits: Uint8Array): Promise<Buffer> {
  return gzipBytes(bits, forSparseBits)
}

const gzipBytes: (bytes: Uint8Array, options: object) => Promise<Buffer> = promisify(gzip)

// Random bits repeat only zeros. For 1,000,000 bits with 2 % set, the result is smaller than with the default (24.2 against 24.9 kB),
// and takes an eighth of the time.
const forSparseBits = { strategy: constants.Z_RLE }
