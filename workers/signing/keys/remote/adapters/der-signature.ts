import { wrongAnswer } from '../check-answers.ts'

const bytesOfP256 = 32
const sequenceTag = 0x30
const integerTag = 0x02

/** Converts an ECDSA signature of P-256 from DER (RFC 3279, section 2.2.3) to r followed by s. Throws KeyProviderRefused for other bytes. */
export function rawSignatureOf(der: Buffer): Buffer {
  // The lengths of P-256 fit in one byte.
  if (der[0] !== sequenceTag || der[1] !== der.length - 2) throw wrongAnswer('signature')
  const r = integerAt(der, 2)
  const s = integerAt(der, r.end)
  if (s.end !== der.length) throw wrongAnswer('signature')
  return Buffer.concat([r.bytes, s.bytes])
}

/** Reads a positive integer and pads it to 32 bytes. */
function integerAt(der: Buffer, from: number): { bytes: Buffer; end: number } {
  const end = from + 2 + (der[from + 1] ?? 0)
  const value = der.subarray(from + 2, end)
  const first = value[0]
  // A leading zero is there if and only if the next bit is set.
  const isPositive = first !== undefined && first < 0x80 && !(first === 0 && (value[1] ?? 0) < 0x80)
  const digits = first === 0 ? value.subarray(1) : value
  const isInteger = der[from] === integerTag && end <= der.length && isPositive && digits.length <= bytesOfP256
  if (!isInteger) throw wrongAnswer('signature')
  return { bytes: Buffer.concat([Buffer.alloc(bytesOfP256 - digits.length), digits]), end }
}
