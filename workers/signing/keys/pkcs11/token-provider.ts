import type { KeyObject } from 'node:crypto'
import type { KeyAlgorithm } from '../../../../db/tables/identifiers/keys.ts'
import { type KeyProvider, KeyProviderRefused } from '../provider.ts'
import type { TokenAlgorithm } from './messages.ts'
import type { Token } from './open-token.ts'
import { parseKeyUri } from './token-uri.ts'

/** Creates the provider `pkcs11`, whose keys are in an open token. */
export function createTokenProvider(token: Token): KeyProvider {
  const isInToken = (algorithm: KeyAlgorithm): algorithm is TokenAlgorithm =>
    token.algorithms.some((each) => each === algorithm)
  return {
    name: 'pkcs11',
    supports: isInToken,
    async generate({ id, label, algorithm }) {
      if (!isInToken(algorithm)) throw new KeyProviderRefused(`The token has no keys of ${algorithm}.`)
      const { handle, publicJwk } = await token.generateKeyPair({ id, label, algorithm })
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

/** The label of a key of the service: tenant, purpose and id. The id is CKA_ID, too. */
const ownLabel = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) [a-z-]+ (\S+)$/

function tenantOfKey(handle: string): string | undefined {
  const { id, label } = parseKeyUri(handle)
  const [, tenantId, keyId] = ownLabel.exec(label) ?? []
  return Buffer.from(id).toString() === keyId ? tenantId : undefined
}

/** Returns an uncompressed point of P-256 (SEC 1, section 2.3.3). */
function pointOf(publicKey: KeyObject): Buffer {
  const { crv, x = '', y = '' } = publicKey.export({ format: 'jwk' })
  if (crv !== 'P-256') throw new KeyProviderRefused('The key of the peer is not on the curve P-256.')
  return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}
