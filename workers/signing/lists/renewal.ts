const maxMs = 3 * 24 * 3_600_000

/**
 * Returns when an unchanged list is renewed: half of its lifetime before its end, but at most three days before. A missing renewal is
 * reported two days before the end, or at once if the lifetime is less than four days.
 */
export function listRenewalAt(issuedAt: Date, expiresAt: Date): Date {
  const lifeMs = expiresAt.getTime() - issuedAt.getTime()
  return new Date(expiresAt.getTime() - Math.min(lifeMs / 2, maxMs))
}
