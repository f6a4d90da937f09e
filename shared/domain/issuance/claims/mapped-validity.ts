import { Problem } from '../../../errors.ts'
import { parseRfc3339 } from '../../../formats/mdoc/element-types.ts'
import { type CertifiedProfile, isCertifiedProfile, type OfProfile } from '../profiles.ts'
import { type ClaimSources, findValue } from './claim-values.ts'

/** ISO 8601. */
export interface MappedValidity {
  from?: string
  until?: string
}

type Configured = OfProfile<object>

/**
 * Returns the validity of a credential that its claims define, or null if the configuration maps none. Throws
 * `credential_request_denied` for a value that is not a date. If a claim has no value, the other members of the
 * configuration apply.
 */
export function mapValidity(configuration: Configured, sources: ClaimSources): MappedValidity | null {
  if (!hasMappedValidity(configuration)) return null
  const { validFrom, validUntil } = configuration.settings
  if (!validFrom && !validUntil) return null
  const from = validFrom && mapped('validFrom', findValue(validFrom.mapFrom, sources), 'T00:00:00Z')
  // A day is valid until its end.
  const until = validUntil && mapped('validUntil', findValue(validUntil.mapFrom, sources), 'T23:59:59Z')
  return { ...(from && { from }), ...(until && { until }) }
}

/** Whether the configuration can map its validity from claims. */
export function hasMappedValidity(configuration: Configured): configuration is OfProfile<object, CertifiedProfile> {
  return isCertifiedProfile(configuration.profile)
}

function mapped(member: string, value: unknown, ofDay: string): string | undefined {
  if (value === undefined) return undefined
  const moment = parseRfc3339(value) ?? (typeof value === 'string' ? parseRfc3339(value + ofDay) : undefined)
  if (moment) return moment.toISOString()
  throw new Problem('credential_request_denied', {
    message: `The value for ${member} must be a date, or date and time`,
  })
}
