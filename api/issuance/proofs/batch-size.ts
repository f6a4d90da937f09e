import type { Tenant } from '../../access/subjects.ts'
import { maxKeys } from './key-attestation.ts'

type WithSettings = Pick<Tenant, 'settings'>

/**
 * Returns the maximum number of keys in a request, which is the `batch_size` of the metadata. It limits proofs and
 * attested keys alike, in both flows.
 */
export function batchSizeOf({ settings }: WithSettings): number {
  return Math.min(maxKeys, settings.maxCredentialsPerSession)
}

const requestLimitBytes = 100_000
/** The size of a proof with a key attestation and its certificates. */
const proofLimitBytes = 10_000

/** Returns the body limit of the credential endpoint. Each proof of a batch can have an attestation of its own. */
export function credentialBodyLimitBytes(tenant: WithSettings): number {
  return requestLimitBytes + proofLimitBytes * batchSizeOf(tenant)
}
