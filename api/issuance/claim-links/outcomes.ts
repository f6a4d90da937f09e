import { fillHtml, type Html, html } from '../../../shared/pages/html.ts'
import { fillText } from '../../../shared/texts/fill-text.ts'
import type { Outcome } from '../offer-page/page.ts'
import type { pageTexts } from '../pages/languages.ts'
import type { ShownClaimLink } from './shown.ts'

/** `gone`: the link was removed or renewed while a person looked at its page. */
type Ended = Exclude<ShownClaimLink['state'], 'offered'> | 'gone'

/** Returns the position of a person who opens a claim link: 1 before the button made an offer, 2 with the offer. */
export function stepOf({ texts, language }: ReturnType<typeof pageTexts>, step: 1 | 2): string {
  return fillText(texts.claimLink.step, language, { step, steps: 2 })
}

/** Returns the outcomes of a claim link that is valid until `end`. */
export function claimLinkOutcomes(
  said: ReturnType<typeof pageTexts>,
  { end, needsSignIn }: { end: Html; needsSignIn: boolean },
): Record<Ended, Outcome> {
  const { offer, claimLink } = said.texts
  const { outcomes } = offer
  const { ready, again, collected, expired, revoked, askForNew, usedUp, until, signIn } = claimLink
  const ended = { title: revoked, advice: askForNew }
  const advice = html`${ready.advice} ${needsSignIn ? `${signIn} ` : undefined}${fillHtml(until, { end })}`
  return {
    ready: { ...ready, advice, step: stepOf(said, 1) },
    opened: { ...outcomes.opened, button: again },
    collected: { ...outcomes.collected, advice: collected },
    expired: { title: expired, advice: askForNew },
    usedUp: { title: revoked, advice: usedUp },
    revoked: ended,
    gone: ended,
  }
}
