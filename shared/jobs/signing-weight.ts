/** What credentials of one content cost beside others, in values to be signed: each has them all, and is some work besides. */
export function signingWeight(credentials: number, claims: unknown): number {
  return credentials * (perCredential + countValues(claims))
}

const perCredential = 10

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, each) => sum + countValues(each), 1)
}
