export const outcomes = ['start', 'success', 'fail', 'audit'] as const
export type Outcome = (typeof outcomes)[number]

/** Splits an event type into operation and outcome. A type without an outcome is only an operation. */
export function partsOf(type: string): { name: string; outcome: Outcome | undefined } {
  const outcome = outcomes.find((each) => type.endsWith(`_${each.toUpperCase()}`))
  return { name: outcome ? type.slice(0, -outcome.length - 1) : type, outcome }
}
