/** Returns the number of credentials of an issuance: one for each key of the holder, or one that is not bound to a key. */
export function countCredentials(holderKeys: readonly object[]): number {
  return Math.max(1, holderKeys.length)
}
