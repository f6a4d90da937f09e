import type { Schemas } from '../../kit/api.ts'

export type MadeOffer = Pick<Schemas['PreAuthorizedOffer'], 'id' | 'warnings' | 'transactionCode'>

let made: MadeOffer | undefined

/** Holds the answer to a new offer until its screen takes it. The transaction code and the warnings are in no other answer. */
export function holdMade(offer: MadeOffer): void {
  made = offer
}

/** Returns the answer for this offer once. Drops the answer for any other offer. */
export function takeMade(id: string): MadeOffer | undefined {
  const offer = made?.id === id ? made : undefined
  made = undefined
  return offer
}
