import { base32upper } from 'multiformats/bases/base32'
import { FormatError } from './format-error.ts'

/** Encodes in base32 (RFC 4648, section 6), in upper case and without padding. */
export function encodeBase32(bytes: Uint8Array): string {
  return base32upper.baseEncode(bytes)
}

/** Reads upper-case base32 without padding. Throws `invalid_cwt` on any other character or on left-over bits. */
export function decodeBase32(text: string): Buffer {
  try {
    return Buffer.from(base32upper.baseDecode(text))
  } catch (error) {
    throw new FormatError('invalid_cwt', 'not upper-case base32', { cause: error })
  }
}
