import { isJsonObject } from '../json-object.ts'
import { SdJwtError } from './decoder-checks.ts'
import { maxDecodedDepth } from './limits.ts'
import { registeredClaims, reservedNames } from './names.ts'
import { type JsonObject, readJson } from './read-jwt.ts'

/** A disclosure: salt and value of an array element, or salt, name and value of an object property. */
type Disclosure = readonly unknown[]

interface Rebuild {
  /** The disclosures by digest. */
  readonly disclosures: ReadonlyMap<string, Disclosure>
  /** The digests that the payload and its disclosures contain. */
  readonly seen: Set<string>
}

/** The place of a value: its level, and whether it is below a registered claim, where nothing is disclosable. */
interface Place {
  readonly depth: number
  readonly isVisible: boolean
}

/**
 * Replaces the digests of a payload by the disclosed claims, and removes digests without a disclosure (RFC 9901, section 7.1, step 3).
 * Throws an `SdJwtError`. The time is linear in the size of payload and disclosures.
 */
export function rebuildClaims(
  payload: JsonObject,
  disclosures: readonly string[],
  digestOf: (text: string) => string,
): JsonObject {
  const rebuild: Rebuild = { disclosures: readDisclosures(disclosures, digestOf), seen: new Set() }
  const { _sd_alg: _, ...content } = payload
  const claims = rebuildObject(content, { depth: 1, isVisible: false }, rebuild)
  for (const digest of rebuild.disclosures.keys()) {
    if (!rebuild.seen.has(digest)) throw new SdJwtError('UnreferencedDisclosure')
  }
  return claims
}

function readDisclosures(texts: readonly string[], digestOf: (text: string) => string): Map<string, Disclosure> {
  const disclosures = new Map<string, Disclosure>()
  for (const text of texts) {
    const value = text === '' ? undefined : readJson(text, 'DisclosureForm')
    // RFC 9901, section 4.2.1: the salt is a text.
    if (!Array.isArray(value) || typeof value[0] !== 'string') throw new SdJwtError('DisclosureForm')
    const digest = digestOf(text)
    if (disclosures.has(digest)) throw new SdJwtError('DuplicateDisclosure')
    disclosures.set(digest, value)
  }
  return disclosures
}

function rebuildValue(value: unknown, place: Place, rebuild: Rebuild): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (place.depth > maxDecodedDepth) throw new SdJwtError('SdJwtDepth')
  if (Array.isArray(value)) return rebuildArray(value, place, rebuild)
  // Boundary: an object of parsed JSON that is not an array.
  return rebuildObject(value as JsonObject, place, rebuild)
}

function rebuildObject(object: JsonObject, place: Place, rebuild: Rebuild): JsonObject {
  const { _sd: digests = [], ...visible } = object
  if (Object.hasOwn(visible, '...')) throw new SdJwtError('ElementDigest')
  if (Object.hasOwn(visible, '_sd_alg')) throw new SdJwtError('HashAlgorithmPlace')
  if (!Array.isArray(digests) || !digests.every((each) => typeof each === 'string')) {
    throw new SdJwtError('PropertyDigests')
  }
  const entries = Object.entries(visible).map(([name, value]): [string, unknown] => {
    return [name, rebuildValue(value, placeOf(name, place), rebuild)]
  })
  const names = new Set(Object.keys(visible))
  for (const digest of digests) {
    const disclosure = takeDisclosure(digest, place, rebuild)
    if (disclosure) entries.push(rebuildProperty(disclosure, names, place, rebuild))
  }
  // fromEntries defines own properties, so that the name `__proto__` cannot reach a prototype.
  return Object.fromEntries(entries)
}

function rebuildProperty(
  disclosure: Disclosure,
  names: Set<string>,
  place: Place,
  rebuild: Rebuild,
): [string, unknown] {
  const [, name, value] = disclosure
  if (disclosure.length !== 3 || typeof name !== 'string') throw new SdJwtError('PropertyDisclosure')
  if (reservedNames.includes(name)) throw new SdJwtError('ReservedName')
  if (names.has(name)) throw new SdJwtError('ClaimName')
  names.add(name)
  if (place.depth === 1 && registeredClaims.includes(name)) throw new SdJwtError('VisibleClaim')
  return [name, rebuildValue(value, placeOf(name, place), rebuild)]
}

function rebuildArray(array: readonly unknown[], place: Place, rebuild: Rebuild): unknown[] {
  return array.flatMap((element): unknown[] => {
    const inside = { ...place, depth: place.depth + 1 }
    if (!isJsonObject(element) || !Object.hasOwn(element, '...')) return [rebuildValue(element, inside, rebuild)]
    const { '...': digest } = element
    if (typeof digest !== 'string' || Object.keys(element).length !== 1) throw new SdJwtError('ElementDigest')
    const disclosure = takeDisclosure(digest, place, rebuild)
    // Step 3.d: an element without a disclosure is removed.
    if (!disclosure) return []
    if (disclosure.length !== 2) throw new SdJwtError('ElementDisclosure')
    return [rebuildValue(disclosure[1], inside, rebuild)]
  })
}

function placeOf(name: string, { depth, isVisible }: Place): Place {
  return { depth: depth + 1, isVisible: isVisible || (depth === 1 && registeredClaims.includes(name)) }
}

/** Finds the disclosure of a digest. Without one, the digest is a decoy or the holder did not disclose the claim. */
function takeDisclosure(digest: string, { isVisible }: Place, { disclosures, seen }: Rebuild): Disclosure | undefined {
  if (isVisible) throw new SdJwtError('VisibleClaim')
  if (seen.has(digest)) throw new SdJwtError('DuplicateDigest')
  seen.add(digest)
  return disclosures.get(digest)
}
