import type { Schemas } from '../../kit/api.ts'
import type { Mood } from '../../kit/elements.tsx'

export type OfferState = Schemas['OfferState']

export const states = ['usable', 'spent', 'claimed', 'ended', 'expired'] as const satisfies readonly OfferState[]

export const moods: Record<OfferState, Mood> = {
  ...{ usable: 'warn', spent: 'warn', claimed: 'good' },
  ...{ ended: 'quiet', expired: 'quiet' },
}

/** Returns whether the state of the offer is final. */
export function isOver({ state }: { state: OfferState }): boolean {
  return state === 'claimed' || state === 'ended' || state === 'expired'
}
