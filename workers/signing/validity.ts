import type { IssuanceToSign } from '../../db/repos/issuance/issuances-to-sign.ts'
import { roundTime } from '../../shared/domain/issuance/credential-times.ts'
import { Problem } from '../../shared/errors/errors.ts'
import { addDuration } from '../../shared/formats/calendar-duration.ts'
import type { CertificateSigner } from './certificates/signer-cache.ts'

type ToSign = Pick<IssuanceToSign, 'configuration'> & { issuance: Pick<IssuanceToSign['issuance'], 'validity'> }

export interface CredentialValidity {
  issuedAt: Date
  validFrom: Date
  validUntil?: Date
}

/** Returns the times of a credential, from its configuration or its claims, rounded (`roundTime`). */
export function validityOf({ issuance, configuration }: ToSign, now: Date): CredentialValidity {
  const { expiresIn } = configuration.settings
  const from = dateOf(issuance.validity?.from) ?? now
  const mappedUntil = dateOf(issuance.validity?.until)
  const until = mappedUntil ?? (expiresIn && addDuration(now, expiresIn))
  const validForMs = until && until.getTime() - latest(from, now).getTime()
  const unit = configuration.profile === 'sd-jwt' ? configuration.settings.roundTimesTo : undefined
  const round = (at: Date) => roundTime(at, validForMs, unit)
  const [issuedAt, validFrom] = [round(now), round(from)]
  if (mappedUntil) return { issuedAt, validFrom, validUntil: round(mappedUntil) }
  if (!expiresIn) return { issuedAt, validFrom }
  return { issuedAt, validFrom, validUntil: round(addDuration(issuedAt, expiresIn)) }
}

/**
 * Returns the times of a credential that a certificate signs. They have an end and are within the times of the signer. Throws
 * `credential_request_denied` if no time is left.
 */
export function validityWithin(
  toSign: ToSign,
  now: Date,
  { notBefore, notAfter }: Pick<CertificateSigner, 'notBefore' | 'notAfter'>,
): Required<CredentialValidity> {
  const rounded = validityOf(toSign, now)
  const issuedAt = latest(rounded.issuedAt, notBefore)
  const validFrom = latest(rounded.validFrom, issuedAt)
  const validUntil = earliest(rounded.validUntil ?? notAfter, notAfter)
  if (validUntil > latest(validFrom, now)) return { issuedAt, validFrom, validUntil }
  throw new Problem('credential_request_denied', {
    message: 'Its validity is over, or starts after the certificate of its signer expires',
    check: 'validity',
  })
}

function dateOf(iso: string | undefined): Date | undefined {
  return iso === undefined ? undefined : new Date(iso)
}

const latest = (left: Date, right: Date) => (left > right ? left : right)
const earliest = (left: Date, right: Date) => (left < right ? left : right)
