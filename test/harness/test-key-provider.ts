import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { publicJwk } from '../../shared/formats/jwk.ts'
import { type KeyProvider, KeyProviderUnavailable } from '../../workers/signing/keys/provider.ts'
import { testAgreement, testSigner } from './test-signer.ts'

/** A provider with keys in the memory of the test, like a token: only P-256 and Ed25519. */
export function createTestKeyProvider(name = 'pkcs11') {
  const stored = new Map<string, KeyObject>()
  const labels = new Map<string, string>()
  let isAway = false

  function keyOf(handle: string): KeyObject {
    const key = stored.get(handle)
    if (isAway || !key) throw new KeyProviderUnavailable(`${name} does not answer.`)
    return key
  }

  const provider: KeyProvider = {
    name,
    supports: (algorithm) => algorithm !== 'Bls12381G2' && algorithm !== 'X25519',
    async generate({ id, label, algorithm }) {
      if (isAway) throw new KeyProviderUnavailable(`${name} does not answer.`)
      const { privateKey } =
        algorithm === 'Ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const handle = `test:${id}`
      stored.set(handle, privateKey)
      labels.set(handle, label)
      return { handle, publicJwk: publicJwk(createPublicKey(privateKey)) }
    },
    signer: ({ handle, ...key }) => ({
      ...key,
      isExternal: true,
      sign: async (bytes) => testSigner({ privateKey: keyOf(handle) }).sign(bytes),
    }),
    agreement: ({ handle, ...key }) => ({ ...key, derive: async (peer) => testAgreement(keyOf(handle)).derive(peer) }),
    async destroy(handle) {
      if (isAway) throw new KeyProviderUnavailable(`${name} does not answer.`)
      stored.delete(handle)
    },
    async *handles() {
      yield* stored.keys()
    },
    tenantOf: (handle) => labels.get(handle)?.split(' ', 1)[0],
    isUp: () => !isAway,
    async check() {
      if (isAway) throw new KeyProviderUnavailable(`${name} does not answer.`)
    },
    close: async () => undefined,
  }
  return {
    provider,
    stored,
    labels,
    /** Whether the provider answers no request. */
    setAway(value: boolean) {
      isAway = value
    },
  }
}
