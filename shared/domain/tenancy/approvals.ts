import { hourMs } from '../../clock.ts'
import { countLimits } from '../status/status-bulks.ts'

/** The kinds of requests for which a tenant can require an approval. */
const approvalKinds = ['statusChanges', 'bulkIssuances', 'authorityDeletions', 'configurationDeletions'] as const
export type ApprovalKind = (typeof approvalKinds)[number]

/**
 * The number of objects above which a request of a kind waits for the approval of another person or program. A kind without a number needs
 * none.
 */
export type ApprovalSettings = { readonly [Kind in ApprovalKind]?: number | undefined } & {
  readonly expiresAfterHours?: number | undefined
}

/** The highest number of `statusChanges`. Larger changes are counted as `maxTotal`, which has to be above the number. */
export const highestStatusChanges = countLimits.maxTotal - 1

/** Reads stored settings. An older version accepted a number that no count exceeds. */
export function readApprovalSettings(stored: ApprovalSettings): ApprovalSettings {
  const { statusChanges } = stored
  if (statusChanges === undefined) return stored
  return { ...stored, statusChanges: Math.min(statusChanges, highestStatusChanges) }
}

const defaultExpiryHours = 24

/** Returns the time for which a request waits for its approval, in milliseconds. */
export function approvalExpiryMs({ expiresAfterHours = defaultExpiryHours }: ApprovalSettings): number {
  return expiresAfterHours * hourMs
}

/** Whether fewer requests need an approval with the settings `after` than with `before`. */
export function needsFewerApprovals(before: ApprovalSettings, after: ApprovalSettings): boolean {
  return approvalKinds.some((kind) => (before[kind] ?? Infinity) < (after[kind] ?? Infinity))
}

/** The waiting approvals that a tenant can have. */
export const maxWaitingApprovals = 100

/** The most deleted objects of an apply that needs an approval, because people see each of them before they decide. */
export const maxListedDeletions = 1_000
