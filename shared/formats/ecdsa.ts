import { type KeyObject, sign, verify } from 'node:crypto'

/**
 * ECDSA signatures as JOSE and COSE have them, r and s side by side (RFC 7518, section 3.4; RFC 9053, section 2.1). OpenSSL
 * makes DER of the two. Node would convert it for the option `dsaEncoding`, but a key among options makes it twice as
 * slow to sign (measured: 78 and 36 µs), so that it is done here.
 */
const curves = {
  'P-256': { hash: 'sha256', bytes: 32 },
  'P-384': { hash: 'sha384', bytes: 48 },
  'P-521': { hash: 'sha512', bytes: 66 },
} as const

export type EcdsaCurve = keyof typeof curves

export function signEcdsa(curve: EcdsaCurve, data: Uint8Array, privateKey: KeyObject): Buffer {
  const { hash, bytes } = curves[curve]
  return sideBySide(sign(hash, data, privateKey), bytes)
}

/** False for any signature that is not exactly as long as the curve has them. */
export function verifyEcdsa(curve: EcdsaCurve, data: Uint8Array, publicKey: KeyObject, signature: Buffer): boolean {
  const { hash, bytes } = curves[curve]
  if (signature.length !== 2 * bytes) return false
  return verify(hash, data, publicKey, derOf(signature, bytes))
}

const sequenceTag = 0x30
const integerTag = 0x02
/** Marks a length that has a byte of its own behind it; the next number up is 0x82, which no signature needs. */
const longLength = 0x81

/** Of what OpenSSL has made: `SEQUENCE { INTEGER r, INTEGER s }`. */
function sideBySide(der: Buffer, bytes: number): Buffer {
  const signature = Buffer.alloc(2 * bytes)
  let at = der[1] === longLength ? 3 : 2
  for (const end of [bytes, 2 * bytes]) {
    const from = at + 2
    at = from + (der[at + 1] ?? 0)
    // An integer has a zero in front where its first bit is set, and none where it is short.
    const start = Math.max(from, at - bytes)
    der.copy(signature, end - (at - start), start, at)
  }
  return signature
}

function derOf(signature: Buffer, bytes: number): Buffer {
  const r = derInteger(signature.subarray(0, bytes))
  const s = derInteger(signature.subarray(bytes))
  const length = r.length + s.length
  const head = length < 0x80 ? [sequenceTag, length] : [sequenceTag, longLength, length]
  return Buffer.concat([Buffer.from(head), r, s])
}

function derInteger(number: Buffer): Buffer {
  let from = 0
  while (from < number.length - 1 && number[from] === 0) from++
  const significant = number.subarray(from)
  const isHigh = (significant[0] ?? 0) >= 0x80
  const length = significant.length + (isHigh ? 1 : 0)
  return Buffer.concat([Buffer.from(isHigh ? [integerTag, length, 0] : [integerTag, length]), significant])
}
