import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type EcdsaCurve, signEcdsa, verifyEcdsa } from '../../../shared/formats/ecdsa.ts'

const curves: [EcdsaCurve, string, number][] = [
  ['P-256', 'sha256', 64],
  ['P-384', 'sha384', 96],
  ['P-521', 'sha512', 132],
]
// r and s have leading zeros, or none, in so many of them that every form of DER comes up.
const rounds = 600

describe.each(curves)('ECDSA on %s', (curve, hash, length) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: curve })
  const outside = { dsaEncoding: 'ieee-p1363' } as const
  const messages = Array.from({ length: rounds }, (_, round) => Buffer.from(`message ${round}`))

  it('creates signatures that OpenSSL verifies', () => {
    for (const data of messages) {
      const signature = signEcdsa(curve, data, privateKey)
      expect(signature).toHaveLength(length)
      expect(verify(hash, data, { key: publicKey, ...outside }, signature)).toBe(true)
    }
  })

  it('verifies signatures of OpenSSL', () => {
    for (const data of messages) {
      const signature = sign(hash, data, { key: privateKey, ...outside })
      expect(verifyEcdsa(curve, data, publicKey, signature)).toBe(true)
    }
  })

  it('refuses other signatures and malformed ones', () => {
    const data = Buffer.from('message')
    const signature = signEcdsa(curve, data, privateKey)
    const half = length / 2
    const swapped = Buffer.concat([signature.subarray(half), signature.subarray(0, half)])
    const padded = Buffer.concat([
      Buffer.alloc(1),
      signature.subarray(0, half),
      Buffer.alloc(1),
      signature.subarray(half),
    ])
    const wrong = [swapped, padded, signature.subarray(1), Buffer.alloc(length), Buffer.alloc(0)]
    for (const each of [...wrong, sign(hash, data, privateKey)]) {
      expect(verifyEcdsa(curve, data, publicKey, each)).toBe(false)
    }
    expect(verifyEcdsa(curve, Buffer.from('another'), publicKey, signature)).toBe(false)
  })
})
