/**
 * The time from a request until it must have been signed, in milliseconds: the highest CREDENTIAL_DEADLINE_MS and half a minute for clocks
 * that differ. No process signs it later.
 */
export const issuanceWithinMs = 90_000
