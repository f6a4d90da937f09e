import type { KeyObject } from 'node:crypto'
import type { KeyAlgorithm } from '../../../../db/tables/identifiers/keys.ts'
import { type KeyProvider, KeyProviderRefused } from '../provider.ts'
import { nameOfKey, tenantOfKey } from './key-name.ts'
import type { TokenAlgorithm } from './messages.ts'
import type { Token } from './open-token.ts'

/** Creates the provider `pkcs11`, whose keys are in an open token. */
export function createTokenProvider(token: Token): KeyProvider {
  const isInToken = (algorithm: KeyAlgorithm): algorithm is TokenAlgorithm =>
    token.algorithms.some((each) => each === algorithm)
  return {
    name: 'pkcs11',
    supports: isInToken,
    async generate({ id, tenantId, purpose, algorithm }) {
      if (!isInToken(algorithm)) throw new KeyProviderRefused(`The token has no keys of ${algorithm}.`)
      const { handle, publicJwk } = await token.generateKeyPair({ ...nameOfKey({ tenantId, purpose, id }), algorithm })
      return { handle, publicJwk }
    },
    signer: ({ id, algorithm, publicKey, handle }) => ({
      ...{ id, algorithm, publicKey, isExternal: true },
      sign: (bytes) => token.sign({ handle, algorithm, publicKey }, bytes),
    }),
    agreement: ({ id, algorithm, publicKey, handle }) => ({
      ...{ id, algorithm, publicKey },
      derive: async (peer) => token.derive(handle, pointOf(peer)),
    }),
    destroy: (handle) => token.destroy(handle),
    async *handles() {
      yield* await token.list()
    },
    tenantOf: tenantOfKey,
    isUp: () => token.isUp(),
    check: () => token.check(),
    close: () => token.close(),
  }
}

/** Returns an uncompressed point of P-256 (SEC 1, section 2.3.3). */
function pointOf(publicKey: KeyObject): Buffer {
  const { crv, x = '', y = '' } = publicKey.export({ format: 'jwk' })
  if (crv !== 'P-256') throw new KeyProviderRefused('The key of the peer is not on the curve P-256.')
  return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}
