/** Returns the weight of credentials with the same claims: the number of values to sign, plus a fixed weight per credential. */
export function signingWeight(credentials: number, claims: unknown): number {
  return credentials * (perCredential + countValues(claims))
}

const perCredential = 10
/** A long text counts as a value for each of these characters, because a job carries it. */
const charactersPerValue = 1_000

function countValues(value: unknown): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / charactersPerValue)
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, each) => sum + countValues(each), 1)
}
