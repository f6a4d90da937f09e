import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { coseSigner, signatureStructure, signSign1, verifySign1 } from '../../shared/formats/cose.ts'
import { testSigner } from '../harness/test-signer.ts'
import { changedSign1Examples, coseKeys, type Sign1Example, sign1Examples, wrongTagExample } from './cose-sign1.ts'

describe('COSE_Sign1 examples', () => {
  const publicKeyOf = ({ key }: Sign1Example) => createPublicKey({ key: coseKeys[key], format: 'jwk' })
  // ES512 with a P-256 key: RFC 9053 allows it. Here each algorithm has one curve.
  const otherCurve = 'cose-wg/Examples, ecdsa-examples/ecdsa-sig-04'

  test.each(sign1Examples)('the signature of $source covers the expected bytes', (example) => {
    const { source, message, externalAad = Buffer.alloc(0), sigStructure } = example
    const { verified, protectedBytes, payload } = verifySign1(message, publicKeyOf(example), externalAad)
    expect(signatureStructure(protectedBytes, payload, externalAad).toString('hex')).toBe(sigStructure.toString('hex'))
    expect(verified).toBe(source !== otherCurve)
  })

  test.each(changedSign1Examples)('$source does not verify', (example) => {
    expect(verifySign1(example.message, publicKeyOf(example)).verified).toBe(false)
  })

  test('a message with the tag of another structure is not a COSE_Sign1', () => {
    expect(() => verifySign1(wrongTagExample.message, publicKeyOf(wrongTagExample))).toThrow('not a COSE_Sign1')
  })
})

describe('COSE_Sign1 messages of the service', () => {
  const keys = {
    ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
    ES512: generateKeyPairSync('ec', { namedCurve: 'P-521' }),
    EdDSA: generateKeyPairSync('ed25519'),
  }
  const payload = Buffer.from('payload')
  const signed = (name: keyof typeof keys, alg?: number) => {
    const signer = coseSigner(testSigner(keys[name]))
    const protectedHeader = new Map([[1, alg ?? signer.alg]])
    return signSign1({ protectedHeader, payload, sign: signer.sign, tagged: true })
  }

  test.each(Object.keys(keys) as (keyof typeof keys)[])(
    'a message signed with %s verifies, and a message with a changed byte does not',
    async (name) => {
      const bytes = await signed(name)
      expect(verifySign1(bytes, keys[name].publicKey)).toMatchObject({ verified: true, payload })
      for (let i = 0; i < bytes.length; i++) {
        const changed = Buffer.from(bytes)
        changed[i]! ^= 1
        expect(safely(() => verifySign1(changed, keys[name].publicKey).verified)).not.toBe(true)
      }
    },
  )

  test('the verifier refuses an algorithm in the header that is not that of the key', async () => {
    expect(verifySign1(await signed('ES256', -35), keys.ES256.publicKey).verified).toBe(false)
    expect(verifySign1(await signed('EdDSA', -7), keys.EdDSA.publicKey).verified).toBe(false)
    expect(verifySign1(await signed('ES256'), keys.ES384.publicKey).verified).toBe(false)
    expect(verifySign1(await signed('ES256'), keys.EdDSA.publicKey).verified).toBe(false)
  })

  test('the verifier refuses an unknown critical header', async () => {
    const { alg, sign } = coseSigner(testSigner(keys.ES256))
    const protectedHeader = new Map<number, number | string[]>([
      [1, alg],
      [2, ['reserved']],
    ])
    const bytes = await signSign1({ protectedHeader: new Map(protectedHeader), payload, sign, tagged: false })
    expect(verifySign1(bytes, keys.ES256.publicKey).verified).toBe(false)
  })

  test('the signer refuses keys of other types', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    expect(() => coseSigner(testSigner({ privateKey }))).toThrow(expect.objectContaining({ code: 'invalid_cose' }))
  })
})

function safely<Value>(run: () => Value): Value | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
