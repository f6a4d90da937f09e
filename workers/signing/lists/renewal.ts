const mostMs = 24 * 3_600_000

/**
 * When a list is to be made anew though nothing changed: half of its life before it ends, and a day at most, which is left when
 * something is wrong.
 */
export function renewalOf(issuedAt: Date, expiresAt: Date): Date {
  const lifeMs = expiresAt.getTime() - issuedAt.getTime()
  return new Date(expiresAt.getTime() - Math.min(lifeMs / 2, mostMs))
}
