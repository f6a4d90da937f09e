import type { Field, Typed } from '../../kit/form-values.ts'
import { uploadTexts } from './upload-texts.ts'

/** The fields of the settings of claim links. */
export const optionsOfLinks: readonly Field[] = [
  { name: 'days', kind: 'number', required: true, label: uploadTexts.days, hint: uploadTexts.daysHint },
  { name: 'withCode', kind: 'tick', label: uploadTexts.withCode, hint: uploadTexts.withCodeHint },
  { name: 'description', label: uploadTexts.description },
  { name: 'withSignIn', kind: 'tick', label: uploadTexts.withSignIn, hint: uploadTexts.withSignInHint },
  { name: 'signInClaim', label: uploadTexts.signInClaim, hint: uploadTexts.signInClaimHint },
  {
    name: 'acceptUnverified',
    kind: 'tick',
    label: uploadTexts.acceptUnverified,
    hint: uploadTexts.acceptUnverifiedHint,
  },
]

/** Returns the settings of claim links in a request. */
export function settingsOfLinks(typed: Typed): Record<string, unknown> {
  const { days, withCode, description, withSignIn } = typed
  return {
    expiresIn: { days: Number(days) },
    ...(withCode && { transactionCode: description ? { description } : true }),
    ...(withSignIn && { signIn: signInOf(typed) }),
  }
}

function signInOf({ signInClaim, acceptUnverified }: Typed) {
  if (!signInClaim) return true
  return { claim: signInClaim, ...(acceptUnverified && { acceptUnverified: true }) }
}
