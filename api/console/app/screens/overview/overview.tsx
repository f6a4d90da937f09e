import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { can } from '../../kit/session.ts'
import { Attention } from './attention.tsx'
import { Counts } from './counts.tsx'
import { FirstSteps, ofFirstSteps } from './first-steps.tsx'
import { Issuances } from './issuances.tsx'
import { OfferHours } from './offer-hours.tsx'
import { SigningRoots } from './signing-roots.tsx'
import { overviewTexts } from './texts.ts'
import './overview.css'

/** The first screen of an operator. Each part reads its own data, and only for roles that may read it. */
export default function Overview() {
  const hasCounts = can('retrieveCounts')
  return (
    <Screen title={say(overviewTexts.overview)}>
      {can(...ofFirstSteps) && <FirstSteps />}
      {hasCounts && <Attention />}
      {hasCounts && <Counts />}
      {can('retrieveSigningRoots') && <SigningRoots />}
      {can('retrieveOfferHours') && <OfferHours />}
      {can('retrieveIssuedDays') && <Issuances />}
      {!hasCounts && <p>{say(overviewTexts.nothingForRoles)}</p>}
    </Screen>
  )
}
