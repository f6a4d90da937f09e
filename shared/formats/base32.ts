import { base32upper } from 'multiformats/bases/base32'
import { FormatError } from './format-error.ts'

const alphabet = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 'latin1')

/**
 * Encodes in base32 (RFC 4648, section 6), in upper case and without padding. The library appends one character at a time. V8 keeps such a
 * text as a tree of 32 bytes for each character until the text is read (measured with bulk issuance: a quarter of what stays after a short
 * garbage collection).
 */
export function encodeBase32(bytes: Uint8Array): string {
  const text = Buffer.allocUnsafe(Math.ceil((bytes.length * 8) / 5))
  let length = 0
  let pending = 0
  let bits = 0
  for (const byte of bytes) {
    pending = ((pending << 8) | byte) & 0xfff
    for (bits += 8; bits >= 5; ) {
      bits -= 5
      text[length++] = alphabet[(pending >> bits) & 31] ?? 0
    }
  }
  if (bits > 0) text[length++] = alphabet[(pending << (5 - bits)) & 31] ?? 0
  return text.toString('latin1', 0, length)
}

/** Reads upper-case base32 without padding. Throws `invalid_cwt` on any other character or on left-over bits. */
export function decodeBase32(text: string): Buffer {
  try {
    return Buffer.from(base32upper.baseDecode(text))
  } catch (error) {
    throw new FormatError('invalid_cwt', 'not upper-case base32', { cause: error })
  }
}
