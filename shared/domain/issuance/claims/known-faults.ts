import { addDuration } from '../../../formats/calendar-duration.ts'
import { findValueDoubts } from '../../../formats/mdoc/value-doubts.ts'
import type { OfProfile } from '../profiles.ts'
import type { ClaimFault } from './claim-faults.ts'
import type { ClaimSources, Claims } from './claim-values.ts'
import { findMisplaced, type IssuingPlace } from './issuing-place.ts'
import { mapFromOf } from './mapped-paths.ts'
import { hasMappedValidity, type MappedTimes, readMappedTimes } from './mapped-validity.ts'

/** The authority whose signer signs. */
export interface KnownAuthority extends IssuingPlace {
  notAfter: Date
}

/** The conditions that are known before a credential is requested. */
export interface KnownConditions {
  now: Date
  /** The authority that signs now, by the id of the configuration. */
  authorities: ReadonlyMap<string, KnownAuthority>
}

/** A claim and what is wrong with it. The message never contains the value. */
export interface ClaimNote {
  /** The claim as the configuration or the credential names it. */
  claim: string
  message: string
  /** The path of the value, such as `claims.nationality`. Absent if it is a default value. */
  mapFrom?: string | undefined
}

type Configured = OfProfile<{ id: string; type: string }>

/**
 * Returns why no credential can be issued with these sources: a validity that is over or that ends before it begins, or a place that is not
 * that of the authority that signs. `claims` are mapped from the sources. Returns undefined if more must be known.
 */
export function findKnownFault(
  configuration: Configured,
  claims: Claims,
  sources: ClaimSources,
  { now, authorities }: KnownConditions,
): ClaimFault | undefined {
  const times = readMappedTimes(configuration, sources)
  if ('fault' in times) return faultOf(times.fault)
  const fault = findTimeFault(times, now)
  if (fault || configuration.profile !== 'mobile') return fault
  const authority = authorities.get(configuration.id)
  const misplaced = authority && findMisplaced(claims, authority)
  if (!misplaced) return undefined
  const { path, must } = misplaced
  const message = `The claim ${path.join(' ')} must be ${must}, as in the certificate of the IACA that signs. Change the claim, or activate a newer IACA of its place`
  return { message, isMissing: false, mapFrom: mapFromOf(configuration, path) }
}

function findTimeFault({ from, until }: MappedTimes, now: Date): ClaimFault | undefined {
  if (until && until.at <= now) {
    const message = `The claim ${until.claim} is the end of the validity and must be in the future`
    return faultOf({ claim: until.claim, message })
  }
  if (!from || !until || from.at < until.at) return undefined
  const message = `The claim ${from.claim} must be before ${until.claim}, the end of the validity`
  return faultOf({ claim: from.claim, message })
}

/** A time of the validity has no place in the credential. Its claim is the path of its value. */
function faultOf({ claim, message }: { claim: string; message: string }): ClaimFault {
  return { message, isMissing: false, mapFrom: claim }
}

/** Returns what is probably wrong with the claims of a credential, without what `findKnownFault` returns. */
export function findDoubts(
  configuration: Configured,
  claims: Claims,
  sources: ClaimSources,
  conditions: KnownConditions,
): ClaimNote[] {
  const { profile, type } = configuration
  const values = profile === 'mobile' ? findValueDoubts(type, claims, conditions.now) : []
  return [
    ...values.map(({ path, why }) => noteOf(configuration, path, (claim) => `The claim ${claim} ${why}. Check it.`)),
    ...timeDoubts(configuration, sources, conditions),
  ]
}

function noteOf(
  configuration: Configured,
  path: readonly [string, string],
  messageOf: (claim: string) => string,
): ClaimNote {
  const claim = path.join(' ')
  return { claim, message: messageOf(claim), mapFrom: mapFromOf(configuration, path) }
}

function timeDoubts(
  configuration: Configured,
  sources: ClaimSources,
  { now, authorities }: KnownConditions,
): ClaimNote[] {
  const times = readMappedTimes(configuration, sources)
  if ('fault' in times || !hasMappedValidity(configuration)) return []
  const { from, until } = times
  const { id, settings } = configuration
  const authority = authorities.get(id)
  const end = until || !settings.expiresIn ? authority?.notAfter : addDuration(now, settings.expiresIn)
  // The end of the signer is no doubt: the credential ends with it, and the wallet collects one of the next signer.
  const isAfterAuthority = until && authority && until.at > authority.notAfter
  const isTooLate = from && end && from.at >= end
  return [
    ...(isAfterAuthority
      ? timeNote(until, 'is after the end of the IACA. The credential ends before. Activate an IACA that ends later.')
      : []),
    ...(isTooLate ? timeNote(from, 'is after the end of the credential or of its IACA. A wallet gets an error.') : []),
  ]
}

function timeNote({ claim }: { claim: string }, why: string): ClaimNote[] {
  return [{ claim, message: `The claim ${claim} ${why}`, mapFrom: claim }]
}
