import type { IssuanceToSign } from '../../db/repos/issuance/issuances.ts'
import { Problem } from '../../shared/errors.ts'
import { addDuration } from '../../shared/formats/calendar-duration.ts'
import type { Signer } from './certificates/known-signers.ts'

export interface Validity {
  issuedAt: Date
  validFrom: Date
  validUntil?: Date
}

const hourMs = 3_600_000

/**
 * Copies of a batch carry the hour and not the moment, so that they cannot be linked by it. Unless the credential would
 * not outlive the hour.
 */
export function validityOf({ issuance, configuration }: IssuanceToSign, now: Date): Validity {
  const { expiresIn } = configuration.settings
  const at = issuance.holderKeys.length > 1 ? hourOf(now) : now
  if (!expiresIn) return { issuedAt: at, validFrom: at }
  const validUntil = addDuration(at, expiresIn)
  if (validUntil.getTime() - now.getTime() > hourMs || at === now) return { issuedAt: at, validFrom: at, validUntil }
  return { issuedAt: now, validFrom: now, validUntil: addDuration(now, expiresIn) }
}

/**
 * The same for what a document signer signs, as claims may have it: always with an end, and not a second of it outside of the
 * signer's times. Throws `credential_request_denied` when nothing is left.
 */
export function validityWithin(
  toSign: IssuanceToSign,
  now: Date,
  { notBefore, notAfter }: Pick<Signer, 'notBefore' | 'notAfter'>,
): Required<Validity> {
  const { issuance } = toSign
  const rounded = (iso: string | undefined) =>
    iso === undefined ? undefined : issuance.holderKeys.length > 1 ? hourOf(new Date(iso)) : new Date(iso)
  const common = validityOf(toSign, now)
  const issuedAt = latest(common.issuedAt, notBefore)
  const validFrom = latest(rounded(issuance.validity?.from) ?? common.validFrom, issuedAt)
  const validUntil = earliest(rounded(issuance.validity?.until) ?? common.validUntil ?? notAfter, notAfter)
  if (validUntil > latest(validFrom, now)) return { issuedAt, validFrom, validUntil }
  throw new Problem('credential_request_denied', {
    message: 'It would be valid no more, or not before the certificate of the document signer ends',
  })
}

function hourOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / hourMs) * hourMs)
}

const latest = (left: Date, right: Date) => (left > right ? left : right)
const earliest = (left: Date, right: Date) => (left < right ? left : right)
