import { FormatError } from './format-error.ts'
import { isJsonObject } from './json-object.ts'

/** The verification relationships that this service uses (DID core, section 5.3). */
export type DidRelationship = 'authentication' | 'assertionMethod' | 'keyAgreement'

/** A verification method of an external document. Only the naming members are checked. */
export interface ForeignMethod {
  readonly id: string
  readonly type: string
  readonly [member: string]: unknown
}

/** An external DID document. Its ids can be relative. */
export interface ResolvedDidDocument extends Readonly<Partial<Record<DidRelationship, readonly MethodOrId[]>>> {
  readonly id: string
  readonly verificationMethod?: readonly ForeignMethod[]
  readonly service?: readonly ForeignService[]
}
export type MethodOrId = string | ForeignMethod
export interface ForeignService {
  readonly id: string
  readonly type: string | readonly string[]
  readonly serviceEndpoint?: unknown
}

const maxDepth = 20

/** Checks that a value has the structure of the DID document of this DID. Throws `invalid_did_document`. */
export function readDidDocument(value: unknown, did: string): ResolvedDidDocument {
  if (!isJsonObject(value) || !isNestedAtMost(value, maxDepth))
    throw refuse('it is not an object, or nested too deeply')
  // DID core, section 3.2: the document must be about the resolved DID.
  if (value.id !== did) throw refuse('its id is not the DID')
  const { verificationMethod, service } = value
  return {
    id: did,
    ...(verificationMethod !== undefined && { verificationMethod: listOf(verificationMethod, isMethod) }),
    ...relationshipsOf(value),
    ...(service !== undefined && { service: listOf(service, isService) }),
  }
}

/** Returns the document of a DID that consists of one key. */
export function didDocumentOfKey(
  did: string,
  method: ForeignMethod,
  { signs, agrees }: { signs: boolean; agrees: boolean },
): ResolvedDidDocument {
  const signing = signs ? [method.id] : []
  return {
    id: did,
    verificationMethod: [method],
    authentication: signing,
    assertionMethod: signing,
    keyAgreement: agrees ? [method.id] : [],
  }
}

function relationshipsOf(value: Record<string, unknown>): Partial<Record<DidRelationship, MethodOrId[]>> {
  const read = (name: DidRelationship) =>
    value[name] === undefined ? {} : { [name]: listOf(value[name], isMethodOrId) }
  return { ...read('authentication'), ...read('assertionMethod'), ...read('keyAgreement') }
}

function listOf<Item>(value: unknown, is: (item: unknown) => item is Item): Item[] {
  if (!Array.isArray(value) || !value.every(is)) throw refuse('a list in it is malformed')
  return value
}

function isMethodOrId(value: unknown): value is MethodOrId {
  return typeof value === 'string' || isMethod(value)
}

function isMethod(value: unknown): value is ForeignMethod {
  return isJsonObject(value) && typeof value.id === 'string' && typeof value.type === 'string'
}

function isService(value: unknown): value is ForeignService {
  if (!isJsonObject(value) || typeof value.id !== 'string') return false
  const types = Array.isArray(value.type) ? value.type : [value.type]
  return types.every((type) => typeof type === 'string')
}

/** Checks level by level, so that a deep value does not overflow the stack. */
function isNestedAtMost(value: object, levels: number): boolean {
  let level: object[] = [value]
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > levels) return false
    level = level.flatMap((each) => Object.values(each).filter((inner) => typeof inner === 'object' && inner !== null))
  }
  return true
}

function refuse(why: string): FormatError {
  return new FormatError('invalid_did_document', why)
}
