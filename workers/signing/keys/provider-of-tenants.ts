import { requireOutsideTransaction } from '../../../db/inside-transaction.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { type KeyProvider, KeyProviderUnavailable } from './provider.ts'

/**
 * Returns a provider for the keys of tenants. It throws inside a transaction. If the provider does not answer, it throws `service_unavailable`
 * with a message for clients, without the name and the address of the provider. The cause has them, for the log.
 */
export function providerOfTenants(provider: KeyProvider): KeyProvider {
  return {
    ...provider,
    generate: (key) => answerOfProvider(() => provider.generate(key)),
    signer(key) {
      const signer = provider.signer(key)
      return { ...signer, sign: (bytes) => answerOfProvider(() => signer.sign(bytes)) }
    },
    agreement(key) {
      const agreement = provider.agreement(key)
      return { ...agreement, derive: (peer) => answerOfProvider(() => agreement.derive(peer)) }
    },
    destroy: (handle) => answerOfProvider(() => provider.destroy(handle)),
    async *handles() {
      try {
        yield* provider.handles()
      } catch (error) {
        throw forClients(error)
      }
    },
  }
}

const unavailable = 'The keys of this tenant are not available. Try again.'

/**
 * Returns the answer of a provider. Throws inside a transaction, and `service_unavailable` if the provider does not answer: the message is
 * for clients, and the cause for the log.
 */
export async function answerOfProvider<Result>(work: () => Promise<Result>): Promise<Result> {
  // A transaction that waits for a device holds its locks, and the only writer of SQLite.
  requireOutsideTransaction('A key provider cannot be used inside db.tx. Use txWithKeys.')
  try {
    return await work()
  } catch (error) {
    throw forClients(error)
  }
}

function forClients(error: unknown): unknown {
  if (!(error instanceof KeyProviderUnavailable)) return error
  return new Problem('service_unavailable', { message: unavailable, cause: error })
}
