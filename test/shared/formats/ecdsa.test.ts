import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { derSignature, type EcdsaCurve, verifyEcdsa } from '../../../shared/formats/ecdsa.ts'
import { signEcdsa } from '../../harness/test-signer.ts'

/**
 * The conversion is the same for each curve. In so many signatures of P-256, r and s have each form of a DER integer: with and without
 * padding, and short. Signatures of P-521 always have the long form of a length, and half of their numbers are short.
 */
const curves: [EcdsaCurve, string, number, rounds: number][] = [
  ['P-256', 'sha256', 64, 1_000],
  ['P-384', 'sha384', 96, 50],
  ['P-521', 'sha512', 132, 50],
]

describe.each(curves)('ECDSA on %s', (curve, hash, length, rounds) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: curve })
  const outside = { dsaEncoding: 'ieee-p1363' } as const
  const messages = Array.from({ length: rounds }, (_, round) => Buffer.from(`message ${round}`))

  it('creates signatures that OpenSSL verifies', () => {
    const signed = messages.map((data) => ({ data, signature: signEcdsa(curve, data, privateKey) }))
    const isRight = ({ data, signature }: (typeof signed)[number]) =>
      signature.length === length && verify(hash, data, { key: publicKey, ...outside }, signature)
    expect(signed.filter((each) => !isRight(each))).toEqual([])
  })

  it('converts signatures to the form of certificates', () => {
    const signatures = messages.map((data) => ({ data, der: derSignature(curve, signEcdsa(curve, data, privateKey)) }))
    expect(signatures.filter(({ data, der }) => !verify(hash, data, publicKey, der))).toEqual([])
  })

  it('verifies signatures of OpenSSL', () => {
    const signed = messages.map((data) => ({ data, signature: sign(hash, data, { key: privateKey, ...outside }) }))
    expect(signed.filter(({ data, signature }) => !verifyEcdsa(curve, data, publicKey, signature))).toEqual([])
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
