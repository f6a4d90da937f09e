import { hash, randomBytes, randomInt } from 'node:crypto'
import { type CborMap, type CborValue, dateTime, encodedCbor } from '../cbor.ts'
import { encodeCbor } from '../cbor-encode.ts'
import { coseKeyFromJwk, type PublicJwk } from '../jwk.ts'
import type { EncodedElement, EncodedElements } from './elements.ts'

/** One document for one device. Dates are rounded down to whole seconds. */
export interface MdocInput {
  readonly docType: string
  readonly elements: EncodedElements
  readonly deviceKey: PublicJwk
  readonly signedAt: Date
  readonly validFrom: Date
  readonly validUntil: Date
  /** The entry in a token status list. */
  readonly status?: { readonly idx: number; readonly uri: string } | undefined
}

/** The digest of an element in the mobile security object. */
export interface ElementDigest {
  digestID: number
  /** SHA-256, base64url. */
  digest: string
}

export type NamespaceDigests = Record<string, Record<string, ElementDigest>>

/** An unsigned document. */
export interface UnsignedMdoc {
  /** `nameSpaces` of IssuerSigned. */
  readonly nameSpaces: CborMap
  /** The encoded mobile security object. Its tag 24 is signed. */
  readonly mso: Buffer
  readonly digests: NamespaceDigests
}

/** Builds the issuer's part of an mdoc (ISO/IEC 18013-5, 8.3.2.1.2.2 and 9.1.2.4). Each call creates new salts and digest ids. */
export function buildMdoc(input: MdocInput): UnsignedMdoc {
  const nameSpaces: CborMap = new Map()
  const valueDigests: CborMap = new Map()
  const digests: [string, Record<string, ElementDigest>][] = []
  for (const [namespace, elements] of input.elements) {
    const items = saltedItems(elements)
    nameSpaces.set(
      namespace,
      items.map(({ item }) => encodedCbor(item)),
    )
    // The order of the ids, which does not reveal the order of the elements.
    const byId = items.toSorted((left, right) => left.digestID - right.digestID)
    valueDigests.set(namespace, new Map(byId.map(({ digestID, digest }) => [digestID, digest])))
    digests.push([namespace, Object.fromEntries(items.map(({ name, ...item }) => [name, elementDigest(item)]))])
  }
  return {
    nameSpaces,
    mso: encodeCbor(mobileSecurityObject(input, valueDigests)),
    digests: Object.fromEntries(digests),
  }
}

interface SaltedItem {
  readonly name: string
  readonly digestID: number
  /** The encoded IssuerSignedItem. */
  readonly item: Buffer
  readonly digest: Buffer
}

const saltBytes = 32
const itemMap = Buffer.from([0xa4])
const keyOf = { digestId: encodeCbor('digestID'), random: encodeCbor('random') }
const identifierKey = encodeCbor('elementIdentifier')
const valueKey = encodeCbor('elementValue')

function saltedItems(elements: readonly EncodedElement[]): SaltedItem[] {
  const salts = randomBytes(elements.length * saltBytes)
  const ids = shuffledIds(elements.length)
  return elements.map(({ name, value }, at) => {
    const digestID = ids[at] ?? 0
    const salt = encodeCbor(salts.subarray(at * saltBytes, (at + 1) * saltBytes))
    const id = encodeCbor(digestID)
    const item = Buffer.concat([
      ...[itemMap, keyOf.digestId, id, keyOf.random, salt],
      ...[identifierKey, encodeCbor(name), valueKey, value],
    ])
    // The digest covers the complete tag 24 item with its head.
    return { name, digestID, item, digest: hash('sha256', encodeCbor(encodedCbor(item)), 'buffer') }
  })
}

/** Returns the numbers from 0 to `count` - 1 in a random order. */
function shuffledIds(count: number): number[] {
  const ids = Array.from({ length: count }, (_, at) => at)
  for (let last = count - 1; last > 0; last--) {
    const other = randomInt(last + 1)
    const [a = 0, b = 0] = [ids[last], ids[other]]
    ids[last] = b
    ids[other] = a
  }
  return ids
}

function elementDigest({ digestID, digest }: Pick<SaltedItem, 'digestID' | 'digest'>): ElementDigest {
  return { digestID, digest: digest.toString('base64url') }
}

type Entry = [CborValue, CborValue]

function mobileSecurityObject(
  { docType, deviceKey, signedAt, validFrom, validUntil, status }: MdocInput,
  valueDigests: CborMap,
): CborMap {
  return new Map<CborValue, CborValue>([
    ['version', '1.0'],
    ['digestAlgorithm', 'SHA-256'],
    ['valueDigests', valueDigests],
    ['deviceKeyInfo', new Map([['deviceKey', coseKeyFromJwk(deviceKey)]])],
    ['docType', docType],
    [
      'validityInfo',
      new Map<CborValue, CborValue>([
        ['signed', dateTime(signedAt)],
        ['validFrom', dateTime(validFrom)],
        ['validUntil', dateTime(validUntil)],
      ]),
    ],
    ...(status ? [statusEntry(status)] : []),
  ])
}

function statusEntry({ idx, uri }: NonNullable<MdocInput['status']>): Entry {
  const statusList = new Map<CborValue, CborValue>([
    ['idx', idx],
    ['uri', uri],
  ])
  return ['status', new Map([['status_list', statusList]])]
}
