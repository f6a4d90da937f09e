import { findUnsignableClaims } from '../../../formats/json-ld-claims.ts'
import { type ElementFault, findMalformedElements } from '../../../formats/mdoc/elements.ts'
import { findValueFaults } from '../../../formats/mdoc/value-faults.ts'
import { type ClaimCheck, checkClaims } from '../../../formats/sd-jwt/check-claims.ts'
import { resolveTree } from '../../../formats/sd-jwt/claim-tree.ts'
import type { MappedConfiguration } from '../claim-mappings.ts'
import { type CredentialProfile, type OfProfile, profiles, type SettingsOf } from '../profiles.ts'
import { findMisfits } from './claim-shapes.ts'
import type { ClaimSources, Claims } from './claim-values.ts'
import { mapAvailableClaims, missingPaths } from './map-claims.ts'
import { mapFromOf } from './mapped-paths.ts'

/** A reason why claims cannot be issued. */
export interface ClaimFault {
  /** Names the claim, and what it must be. Never contains a value. Has no dot at the end. */
  message: string
  /** Whether a required value is missing. */
  isMissing: boolean
  /** The path of the value that is missing or wrong, such as `claims.given_name`. Absent if the reason belongs to no mapped claim. */
  mapFrom?: string | undefined
}

type Configured = OfProfile<{ type: string }>

/**
 * Maps the claims of a credential in the order of the configuration, and returns all reasons why they cannot be signed in its format.
 * `isPartial`: more claims can follow, so that a missing one is no reason.
 */
export function mapClaims(
  configuration: Configured,
  sources: ClaimSources,
  { isPartial = false }: { isPartial?: boolean } = {},
): { claims: Claims; faults: ClaimFault[] } {
  const misfits = findMisfits(configuration, sources).map(({ claim, mapFrom }) => ({
    ...{ mapFrom, isMissing: false },
    message: `The claim ${claim} must be an object, because ${mapFrom} is mapped`,
  }))
  const claims = mapAvailableClaims(configuration, sources)
  // The values inside of a claim that is no object are not missing.
  const faults = findFaults(configuration, claims, isPartial || misfits.length > 0)
  return { claims, faults: [...misfits, ...faults] }
}

const maxNamed = 5

/** Returns the first five reasons as a text without a dot at the end, or undefined if there is none. */
export function faultText(faults: readonly ClaimFault[]): string | undefined {
  const messages = faults.slice(0, maxNamed).map(({ message }) => message)
  return messages.length > 0 ? messages.join('. ') : undefined
}

/** Returns the end of a message about claims, which names the kind of the credential. */
export function inCredentialOf(profile: CredentialProfile): string {
  return `in ${profile === 'sd-jwt' ? 'an' : 'a'} ${profile} credential`
}

/** Limits the size: one value can be mapped to hundreds of claims, and each claim is signed for every key. */
const maxCharacters = 1_000_000

function findFaults(configuration: Configured, claims: Claims, isPartial: boolean): ClaimFault[] {
  if (configuration.profile === 'sd-jwt') return treeFaults(configuration, claims, isPartial)
  if (leftAfter(claims, maxCharacters) < 0) {
    return [{ message: 'The claims are longer than 1 MB in total', isMissing: false }]
  }
  const missing = isPartial ? [] : missingFaults(configuration, claims)
  const wrong = wrongClaims(configuration, claims).map(({ path, message }) => {
    return { message, isMissing: false, mapFrom: mapFromOf(configuration, path) }
  })
  return [...missing, ...wrong]
}

function missingFaults(configuration: MappedConfiguration & { type: string }, claims: Claims): ClaimFault[] {
  const paths = missingPaths(configuration, claims)
  // ISO/IEC 18013-5, 9.1.2.4: there is at least one digest.
  if (paths.length === 0 && configuration.profile === 'mobile' && Object.keys(claims).length === 0) {
    return [{ message: 'There is no value for any element', isMissing: true }]
  }
  return paths.map((path) => ({
    message: `There is no value for the claim ${path.join(' ')}`,
    ...{ isMissing: true, mapFrom: mapFromOf(configuration, path) },
  }))
}

interface WrongClaim {
  /** The path of the claim in the credential. */
  path: readonly string[]
  message: string
}

function wrongClaims(configuration: MappedConfiguration & { type: string }, claims: Claims): WrongClaim[] {
  const { profile, type, settings } = configuration
  if (profile === 'mobile') return elementFaults(type, claims, settings)
  if (!profiles[profile].isJsonLd) return []
  return findUnsignableClaims(claims).map(({ name, path, why }) => {
    return { path: [name], message: `The claim ${path} ${why} in JSON-LD` }
  })
}

/** The rules of a standard are for values that have the types of their elements. */
function elementFaults(docType: string, claims: Claims, { claimMappings }: SettingsOf<'mobile'>): ElementFault[] {
  const malformed = findMalformedElements(docType, claims, claimMappings)
  const isMalformed = (namespace: string, element: string) =>
    malformed.some(({ path }) => path[0] === namespace && path[1] === element)
  return [...malformed, ...findValueFaults(docType, claims, isMalformed)]
}

const missingChecks: readonly ClaimCheck[] = ['required_claim', 'required_element']

function treeFaults(configuration: OfProfile<object, 'sd-jwt'>, claims: Claims, isPartial: boolean): ClaimFault[] {
  const { claimMappings, disclose } = configuration.settings
  const checked = checkClaims(claims, resolveTree(claimMappings, disclose))
  if (!('faults' in checked)) return []
  return checked.faults
    .map(({ check, path, message }) => ({
      message: message.replace(/\.$/u, ''),
      ...{ isMissing: missingChecks.includes(check), mapFrom: mapFromOf(configuration, path) },
    }))
    .filter(({ isMissing }) => !isPartial || !isMissing)
}

/** Subtracts the approximate JSON length of a value from `max`. Stops counting when the result is negative. */
function leftAfter(value: unknown, max: number): number {
  if (typeof value === 'string') return max - value.length
  if (typeof value !== 'object' || value === null) return max - 1
  let left = max
  for (const [name, each] of Object.entries(value)) {
    left = leftAfter(each, left - name.length - 1)
    if (left < 0) break
  }
  return left
}
