/** Returns the weight of credentials with the same claims: the number of values to sign, plus a fixed weight per credential. */
export function signingWeight(credentials: number, claims: unknown): number {
  return credentials * (perCredential + countValues(claims))
}

const perCredential = 10

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, each) => sum + countValues(each), 1)
}
