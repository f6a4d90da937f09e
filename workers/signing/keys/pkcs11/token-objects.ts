import { type Attribute, type Cryptoki, ck, type Handle, resultName } from './cryptoki.ts'
import type { FoundKey, KeyMaterial, TokenAlgorithm } from './messages.ts'
import type { KeyKind, KeyNameInToken } from './token-uri.ts'

/** The token refuses a request for good. The message names what to do. */
export class TokenRequestError extends Error {}

/** One logged-in session of a library. */
export interface TokenSession {
  cryptoki: Cryptoki
  session: Handle
}

/** CKA_EC_PARAMS: the object identifiers of P-256 and Ed25519 in DER. */
const p256 = Buffer.from('06082a8648ce3d030107', 'hex')
const ed25519 = Buffer.from('06032b6570', 'hex')
const octetString = 0x04

/** Returns the key with a name. Throws TokenRequestError if there is none, or more than one. */
export function getKey(session: TokenSession, kind: KeyKind, name: KeyNameInToken): Handle {
  const key = findOne(session, kind === 'private' ? ck.CKO_PRIVATE_KEY : ck.CKO_SECRET_KEY, name)
  if (!key) throw new TokenRequestError(`The token has no key with ${textOf(name)}.`)
  return key
}

/** Returns the public part of a key pair. Returns undefined if the token has no such private key. */
export function findKeyPair(session: TokenSession, name: KeyNameInToken): FoundKey | undefined {
  if (!findPrivateKey(session, name)) return undefined
  const publicKey = findOne(session, ck.CKO_PUBLIC_KEY, name)
  if (!publicKey) throw new TokenRequestError(`The token has no public key with ${textOf(name)}, only the private key.`)
  return readPublicKey(session, publicKey)
}

/**
 * Returns the names of a page of private keys, or undefined after the last one. Keys without an id or a label are left out: the service has
 * made none of them.
 */
export function listPrivateKeys(
  session: TokenSession,
  { from, limit }: { from: number; limit: number },
): KeyNameInToken[] | undefined {
  const keys = findObjects(session, [{ type: ck.CKA_CLASS, value: ck.CKO_PRIVATE_KEY }]).slice(from, from + limit)
  if (keys.length === 0) return undefined
  return keys.flatMap((key) => {
    const [id, label] = readAttributesOfListed(session, key)
    return id?.length && label?.length ? [{ id, label: label.toString('utf8') }] : []
  })
}

/** Returns nothing for a key that was destroyed after the search. */
function readAttributesOfListed(session: TokenSession, key: Handle) {
  try {
    return readAttributes(session, key, ck.CKA_ID, ck.CKA_LABEL)
  } catch (error) {
    if (resultName(error) !== 'CKR_OBJECT_HANDLE_INVALID') throw error
    return []
  }
}

/** Destroys all objects with a name. */
export function destroyKeyPair(session: TokenSession, name: KeyNameInToken): void {
  for (const kind of [ck.CKO_PRIVATE_KEY, ck.CKO_PUBLIC_KEY])
    for (const object of findObjects(session, templateOf(kind, name))) destroyObject(session, object)
}

/**
 * Generates a key pair that cannot leave the token. A repeated request returns the key pair of the first one, if that one has made it.
 * Throws TokenRequestError, and destroys what it made, if the token stores the key in another way.
 */
export async function generateKeyPair(
  session: TokenSession,
  { key: name, algorithm, isRepeated }: { key: KeyNameInToken; algorithm: TokenAlgorithm; isRepeated: boolean },
): Promise<FoundKey> {
  const earlier = takeEarlier(session, name, isRepeated)
  if (earlier) return earlier
  const isEdwards = algorithm === 'Ed25519'
  const mechanism = isEdwards ? ck.CKM_EC_EDWARDS_KEY_PAIR_GEN : ck.CKM_EC_KEY_PAIR_GEN
  const params = { type: ck.CKA_EC_PARAMS, value: isEdwards ? ed25519 : p256 }
  const [publicTemplate, privateTemplate] = [publicAttributes(name, algorithm), privateAttributes(name, algorithm)]
  const { cryptoki, session: handle } = session
  const generated = cryptoki.C_GenerateKeyPairAsync(handle, { mechanism }, [...publicTemplate, params], privateTemplate)
  const pair = await generated.catch((error) => {
    destroyKeyPair(session, name)
    throw error
  })
  return checked(session, name, pair.privateKey, pair.publicKey)
}

/** Stores an existing key pair, not extractable from then on. */
export function importKeyPair(
  session: TokenSession,
  request: { key: KeyNameInToken; algorithm: TokenAlgorithm; material: KeyMaterial; isRepeated: boolean },
): FoundKey {
  const { key: name, algorithm, material, isRepeated } = request
  const earlier = takeEarlier(session, name, isRepeated)
  if (earlier) return earlier
  const isEdwards = algorithm === 'Ed25519'
  const common = [
    { type: ck.CKA_KEY_TYPE, value: isEdwards ? ck.CKK_EC_EDWARDS : ck.CKK_EC },
    { type: ck.CKA_EC_PARAMS, value: isEdwards ? ed25519 : p256 },
  ]
  const point = Buffer.concat([Buffer.of(octetString, material.point.length), material.point])
  const create = (template: Attribute[]) => session.cryptoki.C_CreateObject(session.session, [...template, ...common])
  const publicKey = create([...publicAttributes(name, algorithm), { type: ck.CKA_EC_POINT, value: point }])
  try {
    const scalar = { type: ck.CKA_VALUE, value: material.scalar }
    return checked(session, name, create([...privateAttributes(name, algorithm), scalar]), publicKey)
  } catch (error) {
    destroyKeyPair(session, name)
    throw error
  }
}

/** Generates a key of AES-256 that encrypts and decrypts, and cannot leave the token, unless the token has it. */
export async function makeSecretKey(session: TokenSession, name: KeyNameInToken): Promise<void> {
  if (findOne(session, ck.CKO_SECRET_KEY, name)) {
    checkSecretKey(session, name)
    return
  }
  const template = [
    ...templateOf(ck.CKO_SECRET_KEY, name),
    ...protectedAttributes,
    { type: ck.CKA_ENCRYPT, value: true },
    { type: ck.CKA_DECRYPT, value: true },
    { type: ck.CKA_VALUE_LEN, value: 32 },
  ]
  const { cryptoki, session: handle } = session
  const mechanism = { mechanism: ck.CKM_AES_KEY_GEN }
  const key = await cryptoki.C_GenerateKeyAsync(handle, mechanism, template)
  if (isProtected(session, key)) return
  destroyObject(session, key)
  throw new TokenRequestError(unprotected)
}

/** Throws TokenRequestError unless the token has one secret key with a name, which cannot leave it. */
export function checkSecretKey(session: TokenSession, name: KeyNameInToken): void {
  if (isProtected(session, getKey(session, 'secret-key', name))) return
  throw new TokenRequestError(`The secret key with ${textOf(name)} can leave the token. Make another one.`)
}

/** Returns the key pair of an earlier attempt of this request, and removes a half of one. Throws TokenRequestError if the name is taken. */
function takeEarlier(session: TokenSession, name: KeyNameInToken, isRepeated: boolean): FoundKey | undefined {
  const [privateKey, publicKey] = [findPrivateKey(session, name), findOne(session, ck.CKO_PUBLIC_KEY, name)]
  if (!privateKey && !publicKey) return undefined
  if (!isRepeated) throw new TokenRequestError(`The token already has a key with ${textOf(name)}.`)
  if (privateKey && publicKey) return checked(session, name, privateKey, publicKey)
  destroyKeyPair(session, name)
  return undefined
}

function checked(session: TokenSession, name: KeyNameInToken, privateKey: Handle, publicKey: Handle): FoundKey {
  if (isProtected(session, privateKey)) return readPublicKey(session, publicKey)
  destroyKeyPair(session, name)
  throw new TokenRequestError(unprotected)
}

const unprotected = 'The token made a key that could leave it. The key is destroyed. Check the policy of the token.'

/** Returns whether a key cannot leave the token. */
function isProtected(session: TokenSession, key: Handle): boolean {
  const [isSensitive, isExtractable] = readAttributes(session, key, ck.CKA_SENSITIVE, ck.CKA_EXTRACTABLE)
  return isSensitive?.[0] === 1 && isExtractable?.[0] === 0
}

const protectedAttributes = [
  { type: ck.CKA_TOKEN, value: true },
  { type: ck.CKA_PRIVATE, value: true },
  { type: ck.CKA_SENSITIVE, value: true },
  { type: ck.CKA_EXTRACTABLE, value: false },
]

function publicAttributes(name: KeyNameInToken, algorithm: TokenAlgorithm): Attribute[] {
  return [
    ...templateOf(ck.CKO_PUBLIC_KEY, name),
    { type: ck.CKA_TOKEN, value: true },
    { type: ck.CKA_PRIVATE, value: false },
    { type: ck.CKA_VERIFY, value: algorithm !== 'ECDH-ES' },
  ]
}

function privateAttributes(name: KeyNameInToken, algorithm: TokenAlgorithm): Attribute[] {
  return [
    ...templateOf(ck.CKO_PRIVATE_KEY, name),
    ...protectedAttributes,
    { type: ck.CKA_SIGN, value: algorithm !== 'ECDH-ES' },
    { type: ck.CKA_DERIVE, value: algorithm === 'ECDH-ES' },
  ]
}

function findPrivateKey(session: TokenSession, name: KeyNameInToken): Handle | undefined {
  return findOne(session, ck.CKO_PRIVATE_KEY, name)
}

function findOne(session: TokenSession, kind: number, name: KeyNameInToken): Handle | undefined {
  const [object, ...others] = findObjects(session, templateOf(kind, name))
  if (others.length > 0)
    throw new TokenRequestError(`The token has ${others.length + 1} keys with ${textOf(name)}. Destroy all but one.`)
  return object
}

/** The ids of the keys of the service are texts. */
function textOf({ id, label }: KeyNameInToken): string {
  return `the label ${label} and the id ${Buffer.from(id).toString()}`
}

function templateOf(kind: number, { id, label }: KeyNameInToken): Attribute[] {
  return [
    { type: ck.CKA_CLASS, value: kind },
    { type: ck.CKA_ID, value: Buffer.from(id) },
    { type: ck.CKA_LABEL, value: label },
  ]
}

function findObjects({ cryptoki, session }: TokenSession, template: Attribute[]): Handle[] {
  cryptoki.C_FindObjectsInit(session, template)
  try {
    const objects: Handle[] = []
    for (;;) {
      const page = cryptoki.C_FindObjects(session, 100)
      if (page.length === 0) return objects
      objects.push(...page)
    }
  } finally {
    cryptoki.C_FindObjectsFinal(session)
  }
}

function readPublicKey(session: TokenSession, key: Handle): FoundKey {
  const [params, point, verifies] = readAttributes(session, key, ck.CKA_EC_PARAMS, ck.CKA_EC_POINT, ck.CKA_VERIFY)
  if (!params || !point) throw new TokenRequestError('The public key in the token is not of an elliptic curve.')
  if (params.equals(p256)) return { algorithm: verifies?.[0] === 1 ? 'ES256' : 'ECDH-ES', point: pointOf(point, 65) }
  if (params.equals(ed25519)) return { algorithm: 'Ed25519', point: pointOf(point, 32) }
  throw new TokenRequestError('The public key in the token is of another curve than P-256 and Ed25519.')
}

/** CKA_EC_POINT is an OCTET STRING in DER with the point. Some tokens return the point alone. */
function pointOf(bytes: Buffer, length: number): Buffer {
  if (bytes.length === length) return bytes
  if (bytes.length === length + 2 && bytes[0] === octetString && bytes[1] === length) return bytes.subarray(2)
  throw new TokenRequestError('The token returned a public key in an unknown form.')
}

/** Returns undefined for an attribute that the token does not have or does not reveal. */
function readAttributes({ cryptoki, session }: TokenSession, object: Handle, ...types: number[]) {
  return types.map((type) => {
    try {
      return cryptoki.C_GetAttributeValue(session, object, [{ type }])[0]?.value
    } catch (error) {
      const result = resultName(error)
      if (result === 'CKR_ATTRIBUTE_TYPE_INVALID' || result === 'CKR_ATTRIBUTE_SENSITIVE') return undefined
      throw error
    }
  })
}

function destroyObject({ cryptoki, session }: TokenSession, object: Handle): void {
  try {
    cryptoki.C_DestroyObject(session, object)
  } catch (error) {
    if (resultName(error) !== 'CKR_OBJECT_HANDLE_INVALID') throw error // another process has destroyed it
  }
}
