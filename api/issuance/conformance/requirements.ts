import { credentialRequirements } from './credential-requirements.ts'
import { issuanceRequirements } from './issuance-requirements.ts'
import { walletRequirements } from './wallet-requirements.ts'

/**
 * The 43 requirements of HAIP 1.0 for issuers, in the order of its sections. Requirements for wallets are in the list if an issuer can
 * refuse or test them. Requirements for verifiers are not in it.
 */
export const requirements = { ...issuanceRequirements, ...walletRequirements, ...credentialRequirements }

export type RequirementName = keyof typeof requirements
