import type { ProtocolProfile } from '../../../shared/domain/tenancy/protocol-profiles.ts'
import { credentialRequirements } from './credential-requirements.ts'
import { eudiRequirements } from './eudi-requirements.ts'
import { issuanceRequirements } from './issuance-requirements.ts'
import { walletRequirements } from './wallet-requirements.ts'

/**
 * The 43 requirements of HAIP 1.0 for issuers, in the order of its sections. Requirements for wallets are in the list if an issuer can
 * refuse or test them. Requirements for verifiers are not in it.
 */
const haipRequirements = { ...issuanceRequirements, ...walletRequirements, ...credentialRequirements }

/** The requirements of all profiles. */
export const requirements = { ...haipRequirements, ...eudiRequirements }

export type RequirementName = keyof typeof requirements

// Boundary: the keys of an object are its names.
const namesOf = (some: Partial<typeof requirements>) => Object.keys(some) as RequirementName[]

/** Returns the requirements for a profile, in the order of the sections. */
export function requirementsFor(profile: ProtocolProfile): RequirementName[] {
  return namesOf(profile === 'eudi' ? requirements : haipRequirements)
}
