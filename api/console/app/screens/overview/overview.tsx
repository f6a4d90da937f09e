import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { hasRole } from '../../kit/session.ts'
import { Attention } from './attention.tsx'
import { Counts } from './counts.tsx'
import { FirstSteps } from './first-steps.tsx'
import { Issuances } from './issuances.tsx'
import { issuing, trusting } from './roles.ts'
import { SigningRoots } from './signing-roots.tsx'
import { overviewTexts } from './texts.ts'
import './overview.css'

/** The first screen of an operator. Each part reads its own data, and only for roles that may read it. */
export default function Overview() {
  const isIssuing = hasRole(...issuing)
  const isEither = isIssuing || hasRole(...trusting)
  return (
    <Screen title={say(overviewTexts.overview)}>
      {hasRole('issuer', 'managed-issuer') && <FirstSteps />}
      {isEither && <Attention />}
      {isEither && <Counts />}
      {isIssuing && <SigningRoots />}
      {isIssuing && <Issuances />}
      {!isEither && <p>{say(overviewTexts.nothingForRoles)}</p>}
    </Screen>
  )
}
