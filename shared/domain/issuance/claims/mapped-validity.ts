import { Problem } from '../../../errors/errors.ts'
import { parseRfc3339 } from '../../../formats/mdoc/element-types.ts'
import { type CertifiedProfile, isCertifiedProfile, type OfProfile } from '../profiles.ts'
import { type ClaimSources, findValue } from './claim-values.ts'

/** ISO 8601. */
export interface MappedValidity {
  from?: string
  until?: string
}

type Configured = OfProfile<object>

/** A time that a claim defines, and the path of the claim. */
interface MappedTime {
  at: Date
  claim: string
}

export interface MappedTimes {
  from?: MappedTime
  until?: MappedTime
}

/**
 * Returns the validity of a credential that its claims define, or null if the configuration maps none. Throws
 * `credential_request_denied` for a value that is not a date. If a claim has no value, the other members of the
 * configuration apply.
 */
export function mapValidity(configuration: Configured, sources: ClaimSources): MappedValidity | null {
  if (!hasMappedValidity(configuration)) return null
  const { validFrom, validUntil } = configuration.settings
  if (!validFrom && !validUntil) return null
  const times = readMappedTimes(configuration, sources)
  if ('fault' in times) throw new Problem('credential_request_denied', { message: times.fault.message })
  const { from, until } = times
  return { ...(from && { from: from.at.toISOString() }), ...(until && { until: until.at.toISOString() }) }
}

/** Whether the configuration can map its validity from claims. */
export function hasMappedValidity(configuration: Configured): configuration is OfProfile<object, CertifiedProfile> {
  return isCertifiedProfile(configuration.profile)
}

/** Returns the times that the claims define, or what is wrong with one of them. Without a value there is no time. */
export function readMappedTimes(
  configuration: Configured,
  sources: ClaimSources,
): MappedTimes | { fault: { claim: string; message: string } } {
  if (!hasMappedValidity(configuration)) return {}
  const { validFrom, validUntil } = configuration.settings
  const times: MappedTimes = {}
  // A day is valid until its end.
  for (const [member, mapping, ofDay] of [
    ['from', validFrom, 'T00:00:00Z'],
    ['until', validUntil, 'T23:59:59Z'],
  ] as const) {
    const value = mapping && findValue(mapping.mapFrom, sources)
    if (!mapping || value === undefined) continue
    const claim = mapping.mapFrom
    const at = parseRfc3339(value) ?? (typeof value === 'string' ? parseRfc3339(value + ofDay) : undefined)
    if (!at) return { fault: { claim, message: `The claim ${claim} must be a date, or date and time` } }
    times[member] = { at, claim }
  }
  return times
}
