import { fillHtml, type Html, html } from '../../../shared/pages/html.ts'
import type { Outcome } from '../offer-page/page.ts'
import type { PageTexts } from '../pages/languages.ts'
import type { ShownClaimLink } from './shown.ts'

/** `gone`: the link was removed or renewed while a person looked at its page. */
type Ended = Exclude<ShownClaimLink['state'], 'offered'> | 'gone'

/** Returns the outcomes of a claim link that is valid until `end`. */
export function claimLinkOutcomes(
  { offer: { outcomes }, claimLink }: PageTexts,
  { end, needsSignIn }: { end: Html; needsSignIn: boolean },
): Record<Ended, Outcome> {
  const { ready, again, collected, expired, revoked, askForNew, usedUp, until, signIn } = claimLink
  const ended = { title: revoked, advice: askForNew }
  const advice = html`${ready.advice} ${needsSignIn ? `${signIn} ` : undefined}${fillHtml(until, { end })}`
  return {
    ready: { ...ready, advice },
    opened: { ...outcomes.opened, button: again },
    collected: { ...outcomes.collected, advice: collected },
    expired: { title: expired, advice: askForNew },
    usedUp: { title: revoked, advice: usedUp },
    revoked: ended,
    gone: ended,
  }
}
