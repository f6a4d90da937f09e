import type { KeyObject } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, systemClock } from '../../../../shared/clock.ts'
import { publicJwk } from '../../../../shared/formats/jwk.ts'
import type { Log } from '../../../../shared/log/log.ts'
import type { KeySigner } from '../../../../shared/settings/key-signers.ts'
import { type KeyProvider, KeyProviderRefused } from '../provider.ts'
import type { RemoteAlgorithm, RemoteKey } from './adapter.ts'
import { isSharedSecret, isValidSignature, keyFaultOf } from './check-answers.ts'
import { createAdapter } from './create-adapter.ts'
import { createSignerClient } from './signer-client.ts'
import { createSignerTransport } from './transport.ts'
import { createWatchedFiles } from './watched-files.ts'

export interface RemoteProviderOptions {
  log: Log
  clock?: Clock
}

/** The work for the whole service, such as checks, is queued beside the tenants. */
const ofService = ''

/**
 * Creates the provider `remote:<name>`. Each answer is checked: a signature is verified with the public key of the row before it is returned.
 */
export function createRemoteProvider(name: string, signer: KeySigner, options: RemoteProviderOptions): KeyProvider {
  const providerName = `remote:${name}`
  const { log, clock = systemClock } = options
  const files = createWatchedFiles()
  const transport = createSignerTransport(signer, files)
  const adapter = createAdapter(signer, {
    clock,
    read: (path) => files.read(path),
    send: (request) => transport.send(request, signer.limits.timeoutMs),
    pause: (ms) => sleep(ms),
  })
  const client = createSignerClient({ name: providerName, limits: signer.limits, adapter, transport, log })

  const refused = (text: string) => new KeyProviderRefused(`The key provider ${providerName} ${text}`)

  function require(algorithm: RemoteAlgorithm | 'Bls12381G2'): RemoteAlgorithm {
    if (algorithm !== 'Bls12381G2' && adapter.supports(algorithm)) return algorithm
    throw refused(`has no keys of ${algorithm}. Choose another provider for this purpose.`)
  }

  return {
    name: providerName,
    supports: (algorithm) => algorithm !== 'Bls12381G2' && adapter.supports(algorithm),
    async generate({ id, tenantId, label, algorithm }) {
      const key = { id, label, algorithm: require(algorithm) }
      const { handle, publicKey } = await adapter.generate(client.callFor(tenantId), key)
      const fault = keyFaultOf(publicKey, key.algorithm)
      if (fault) throw refused(`returned a public key that ${fault}. Check the key ${handle}.`)
      return { handle, publicJwk: publicJwk(publicKey) }
    },
    signer: ({ id, tenantId, algorithm, publicKey, handle }) => ({
      id,
      algorithm,
      publicKey,
      isExternal: true,
      async sign(bytes) {
        const key: RemoteKey = { handle, algorithm: require(algorithm) }
        const signature = await adapter.sign(client.callFor(tenantId), key, bytes)
        if (isValidSignature(algorithm, bytes, publicKey, signature)) return signature
        throw refused(`returned a signature that the public key of ${id} does not verify. Check the key ${handle}.`)
      },
    }),
    agreement: ({ id, tenantId, algorithm, publicKey, handle }) => ({
      id,
      algorithm,
      publicKey,
      async derive(peer) {
        const key: RemoteKey = { handle, algorithm: require(algorithm) }
        if (!adapter.derive) throw refused('has no key agreement. Choose another provider for this purpose.')
        const secret = await adapter.derive(client.callFor(tenantId), key, peerJwk(peer, algorithm))
        if (isSharedSecret(secret)) return secret
        throw refused(`returned no shared secret of 32 bytes. Check the key ${handle}.`)
      },
    }),
    destroy: (handle) => adapter.destroy(client.callFor(ofService), handle),
    handles: () => adapter.handles(client.callFor(ofService)),
    ...{ isUp: client.isUp, check: client.check, close: client.close },
  }
}

/** The other party chooses its key. A key of another curve is a bug of the caller, which has checked it. */
function peerJwk(peer: KeyObject, algorithm: RemoteAlgorithm) {
  const fault = keyFaultOf(peer, algorithm)
  if (fault) throw new Error(`the key of the other party ${fault}`)
  return publicJwk(peer)
}
