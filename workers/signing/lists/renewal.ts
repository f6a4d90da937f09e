const mostMs = 3 * 24 * 3_600_000

/**
 * When a list is renewed though nothing changed: half of its life before it ends, and three days at most. A renewal that does not come is
 * an alarm two days before the end, or at once for a list that lives for less than four days.
 */
export function listRenewalAt(issuedAt: Date, expiresAt: Date): Date {
  const lifeMs = expiresAt.getTime() - issuedAt.getTime()
  return new Date(expiresAt.getTime() - Math.min(lifeMs / 2, mostMs))
}
