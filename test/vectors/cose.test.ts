import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { coseSigner, signatureStructure, signSign1, verifySign1 } from '../../shared/formats/cose.ts'

const folder = '../shared/samples/cose-wg'

interface Vector {
  title: string
  fail?: boolean
  input: { sign0?: { key: Record<string, string>; external?: string } }
  intermediates?: { ToBeSign_hex: string }
  output: { cbor: string }
}

describe('cose-wg COSE_Sign1 examples (needs ../shared/samples)', { tags: 'samples' }, () => {
  const files = globSync(`${folder}/{sign1-tests,ecdsa-examples,CWT,RFC8152}/*.json`).sort()
  const vectors = files
    .map((file): [string, Vector] => [file.slice(folder.length + 1), JSON.parse(readFileSync(file, 'utf8'))])
    .filter(([, { input }]) => input.sign0)
  // ES512 with a P-256 key: RFC 9053 allows it. Here each algorithm has one curve.
  const mixed = 'ecdsa-examples/ecdsa-sig-04.json'

  test('the example files exist', () => {
    expect(vectors.length).toBeGreaterThan(12)
  })

  test.each(vectors)('%s', (name, { fail, input, intermediates, output }) => {
    const { key, external } = input.sign0!
    const publicKey = createPublicKey({ key: publicPart(key), format: 'jwk' })
    const bytes = Buffer.from(output.cbor, 'hex')
    const externalAad = Buffer.from(external ?? '', 'hex')
    if (name === 'sign1-tests/sign-fail-01.json') {
      expect(() => verifySign1(bytes, publicKey)).toThrow('not a COSE_Sign1')
      return
    }
    const result = verifySign1(bytes, publicKey, externalAad)
    expect(result.verified).toBe(!fail && name !== mixed)
    if (!fail && intermediates) {
      const structure = signatureStructure(result.protectedBytes, result.payload, externalAad)
      expect(structure.toString('hex').toUpperCase()).toBe(intermediates.ToBeSign_hex)
    }
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
    const signer = coseSigner(keys[name].privateKey)
    const protectedHeader = new Map([[1, alg ?? signer.alg]])
    return signSign1({ protectedHeader, payload, sign: signer.sign, tagged: true })
  }

  test.each(Object.keys(keys) as (keyof typeof keys)[])(
    'a message signed with %s verifies, and a message with a changed byte does not',
    (name) => {
      const bytes = signed(name)
      expect(verifySign1(bytes, keys[name].publicKey)).toMatchObject({ verified: true, payload })
      for (let i = 0; i < bytes.length; i++) {
        const changed = Buffer.from(bytes)
        changed[i]! ^= 1
        expect(safely(() => verifySign1(changed, keys[name].publicKey).verified)).not.toBe(true)
      }
    },
  )

  test('the verifier refuses an algorithm in the header that is not that of the key', () => {
    expect(verifySign1(signed('ES256', -35), keys.ES256.publicKey).verified).toBe(false)
    expect(verifySign1(signed('EdDSA', -7), keys.EdDSA.publicKey).verified).toBe(false)
    expect(verifySign1(signed('ES256'), keys.ES384.publicKey).verified).toBe(false)
    expect(verifySign1(signed('ES256'), keys.EdDSA.publicKey).verified).toBe(false)
  })

  test('the verifier refuses an unknown critical header', () => {
    const { alg, sign } = coseSigner(keys.ES256.privateKey)
    const protectedHeader = new Map<number, number | string[]>([
      [1, alg],
      [2, ['reserved']],
    ])
    const bytes = signSign1({ protectedHeader: new Map(protectedHeader), payload, sign, tagged: false })
    expect(verifySign1(bytes, keys.ES256.publicKey).verified).toBe(false)
  })

  test('the signer refuses keys of other types', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    expect(() => coseSigner(privateKey)).toThrow(expect.objectContaining({ code: 'invalid_cose' }))
  })
})

/** Some files have hexadecimal coordinates. */
function publicPart(key: Record<string, string>) {
  const coordinate = (name: string) => key[name] ?? Buffer.from(key[`${name}_hex`]!, 'hex').toString('base64url')
  return { kty: key.kty!, crv: key.crv!, x: coordinate('x'), y: coordinate('y') }
}

function safely<Value>(run: () => Value): Value | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
