import type { KeyRow } from '../../../db/repos/identifiers/keys.ts'
import type { KeyAlgorithm } from '../../../db/tables/identifiers/keys.ts'
import { type PlatformKeyPolicy, softwareProvider } from '../../../shared/domain/identifiers/key-policy.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { publicKeyFromJwk } from '../../../shared/formats/jwk.ts'
import type { KeyProviderState } from '../../../shared/jobs/heartbeat.ts'
import { type KeyProvider, KeyProviderRefused } from './provider.ts'
import { providerOfTenants } from './provider-of-tenants.ts'
import type { Agreement, Signer } from './signer.ts'

/** The providers of this process by name, and the policy of the platform. */
export interface Custody extends PlatformKeyPolicy {
  readonly providers: Map<string, KeyProvider>
}

/** Adds a provider for the keys of tenants. A process does this when it starts. */
export function addProvider({ providers }: Custody, provider: KeyProvider): void {
  providers.set(provider.name, providerOfTenants(provider))
}

/** All keys are software keys. */
export const softwareOnly: PlatformKeyPolicy = { provider: softwareProvider, requireHardware: [] }

/** Returns the signer or the agreement of a key in a provider. Throws KeyProviderRefused if this process does not have the provider. */
export function openProviderKey({ providers }: Custody, row: KeyRow): Signer | Agreement {
  const { id, tenantId, algorithm, handle } = row
  const provider = providers.get(row.provider)
  if (!provider || handle === null)
    throw new KeyProviderRefused(`The key ${id} is in ${row.provider}. Configure this provider in the signing process.`)
  // Boundary: no provider has keys of BLS12-381.
  const publicKey = publicKeyFromJwk(row.publicJwk as Parameters<typeof publicKeyFromJwk>[0])
  if (algorithm === 'ES256' || algorithm === 'Ed25519')
    return { ...provider.signer({ id, tenantId, algorithm, publicKey, handle }), provider: row.provider }
  if (algorithm === 'X25519' || algorithm === 'ECDH-ES')
    return provider.agreement({ id, tenantId, algorithm, publicKey, handle })
  throw new KeyProviderRefused(`The key ${id} of ${algorithm} cannot be in ${row.provider}.`)
}

/** Returns a provider for new keys. Throws `conflict` if this process does not have it. */
export function getProvider({ providers }: Custody, name: string): KeyProvider {
  const provider = providers.get(name)
  if (provider) return provider
  throw new Problem('conflict', {
    message: `The policy of the keys names ${name}, which the signing process does not have. Configure it, or change \`keys\` of the tenant.`,
  })
}

const algorithms = ['ES256', 'Ed25519', 'X25519', 'ECDH-ES'] as const satisfies readonly KeyAlgorithm[]

/** Returns what the heartbeat of a signing process reports about its providers. */
export function statesOfProviders({ providers }: Custody): KeyProviderState[] {
  return [...providers.values()].map((provider) => ({
    name: provider.name,
    isUp: provider.isUp(),
    algorithms: algorithms.filter((algorithm) => provider.supports(algorithm)),
  }))
}
