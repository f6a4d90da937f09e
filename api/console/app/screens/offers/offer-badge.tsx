import type { Schemas } from '../../kit/api.ts'
import { Badge } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { checkText } from './check-texts.ts'
import { moods } from './states.ts'
import { offerTexts } from './texts.ts'

type Offer = Pick<Schemas['Offer'], 'state' | 'failure'>

/** The state of an offer, and what is wrong if it failed. A usable offer can still be used after a failure. */
export function OfferBadge({ of: { state, failure } }: { of: Offer }) {
  return (
    <>
      {(!failure || state === 'usable') && <Badge mood={moods[state]}>{say(offerTexts[state])}</Badge>}
      {failure && (
        <>
          {' '}
          <Badge mood="bad">{say(offerTexts.failed)}</Badge> <small class="why">{why(failure)}</small>
        </>
      )}
    </>
  )
}

/** Names a claim without a value. The service reports it in English. */
function why({ check, reason }: NonNullable<Offer['failure']>): string {
  const claim = /no value for the claim (.+)$/.exec(reason)?.[1]
  if (check === 'claims' && claim) return say(offerTexts.claimMissing, { claim })
  return say(checkText(check).failed)
}
