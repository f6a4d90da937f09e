import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import { largestBatchIn } from '../../../shared/domain/issuance/reuse-policy.ts'
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

/** Returns the maximum number of keys in a request for a configuration, whose reuse policy can have smaller batches. */
export function batchSizeFor(tenant: WithSettings, { settings: { reusePolicy } }: ConfigurationRow): number {
  const limit = batchSizeOf(tenant)
  return Math.min(limit, (reusePolicy && largestBatchIn(reusePolicy)) ?? limit)
}

const requestLimitBytes = 100_000
/** The size of a proof with a key attestation and its certificates. */
const proofLimitBytes = 10_000

/** Returns the body limit of the credential endpoint. Each proof of a batch can have an attestation of its own. */
export function credentialBodyLimitBytes(tenant: WithSettings): number {
  return requestLimitBytes + proofLimitBytes * batchSizeOf(tenant)
}
