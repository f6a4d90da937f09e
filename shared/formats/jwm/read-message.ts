import { bytesOfBase64url } from '../base64url.ts'
import { FormatError } from '../format-error.ts'
import { isJsonObject } from '../json-object.ts'
import { type OkpPublicJwk, parsePublicJwk } from '../jwk.ts'
import { isMessageEncryption, type MessageEncryption } from './content-encryption.ts'
import { keyAgreement } from './key-agreement.ts'
import { maxDidUrlLength, maxPlaintextBytes, maxRecipients } from './limits.ts'

/** An encrypted message from outside (RFC 7516, section 7.2.1). Only its structure is checked. */
export interface ReceivedMessage {
  protected: string
  recipients: {
    header: Record<string, unknown>
    encrypted_key?: string | undefined
    encryption_key?: string | undefined
  }[]
  ciphertext: string
  iv: string
  tag: string
}

/** The parts of a message for one recipient. Binary values are in base64url, as received. */
export interface AddressedMessage {
  enc: MessageEncryption
  protected: string
  /** The DID URL of the recipient's key, or the recipient's DID. */
  kid: string
  /** The DID URL or DID of the sender. */
  skid: string
  epk: OkpPublicJwk
  apu: string | undefined
  apv: string | undefined
  encryptedKey: string
  ciphertext: string
  iv: string
  tag: string
}

type Header = Record<string, unknown>

const maxProtectedLength = 10_000
/** Allows for the padding of a block, and for base64url. */
const maxCiphertextLength = Math.ceil(((maxPlaintextBytes + 16) * 4) / 3)

/** Returns the `kid` of each recipient in order, or undefined for an invalid one. Throws `invalid_message`. */
export function recipientsOf({ recipients, ciphertext, protected: text }: ReceivedMessage): (string | undefined)[] {
  if (recipients.length === 0 || recipients.length > maxRecipients) throw refuse('too few recipients, or too many')
  if (ciphertext.length > maxCiphertextLength || text.length > maxProtectedLength) throw refuse('too large')
  const kids = recipients.map(({ header: { kid } }) =>
    typeof kid === 'string' && kid.length <= maxDidUrlLength ? kid : undefined,
  )
  const named = kids.filter((kid) => kid !== undefined)
  if (new Set(named).size < named.length) throw refuse('a recipient occurs twice')
  return kids
}

/** Returns the message for the recipient with this index. Ignores faults of other recipients. Throws `invalid_message`. */
export function messageFor(message: ReceivedMessage, index: number): AddressedMessage {
  const recipient = message.recipients[index]
  if (!recipient) throw refuse('no such recipient')
  const shared = protectedHeader(message.protected)
  const enc = encryptionIn(shared)
  const { header } = recipient
  checkAlg(header.alg, shared.alg, enc)
  // Compression and critical extensions are not supported (RFC 7516, sections 4.1.3 and 4.1.13).
  for (const name of ['crit', 'zip']) if (name in shared || name in header) throw refuse(`${name} is not supported`)
  const { encrypted_key, encryption_key } = recipient
  const encryptedKey = encrypted_key ?? encryption_key
  if (encryptedKey === undefined || (encryption_key ?? encryptedKey) !== encryptedKey) throw refuse('not one key')
  return {
    enc,
    protected: message.protected,
    kid: didUrlIn('kid', header, shared),
    skid: senderIn(header, shared),
    epk: ephemeralKey(memberOf('epk', header, shared)),
    apu: partyIn('apu', header, shared),
    apv: partyIn('apv', header, shared),
    encryptedKey,
    ciphertext: message.ciphertext,
    iv: message.iv,
    tag: message.tag,
  }
}

function protectedHeader(text: string): Header {
  const bytes = bytesOfBase64url(text)
  try {
    const value: unknown = bytes && JSON.parse(bytes.toString())
    if (isJsonObject(value)) return value as Header
  } catch {
    // below
  }
  throw refuse('the protected header is not an object')
}

/** Reads the content encryption. Some senders write it in `alg` of the protected header, alone or in addition to `enc`. */
function encryptionIn({ enc, alg }: Header): MessageEncryption {
  const name = enc ?? alg
  if (!isMessageEncryption(name)) throw refuse('an unknown enc')
  return name
}

/** Also accepts the content encryption as `alg` of the protected header, which earlier versions wrote there. */
function checkAlg(own: unknown, shared: unknown, enc: MessageEncryption): void {
  const isOfContent = shared === undefined || shared === enc
  const alg = isOfContent ? own : shared
  if (alg !== keyAgreement.alg || (own ?? alg) !== alg) throw refuse('an unknown alg')
}

/** Reads a member that must be in only one of the two headers (RFC 7516, section 7.2.1). */
function memberOf(name: string, header: Header, shared: Header): unknown {
  if (name in header && name in shared) throw refuse(`${name} occurs twice`)
  return header[name] ?? shared[name]
}

function didUrlIn(name: 'kid' | 'skid', header: Header, shared: Header): string {
  const value = memberOf(name, header, shared)
  if (typeof value !== 'string' || value.length > maxDidUrlLength) throw refuse(`no ${name}`)
  return value
}

/**
 * Returns the sender. `skid` outside of the protected header is not authenticated: it could name another DID whose document contains
 * the sender's key. `apu` is part of the key agreement. If it names a DID, `skid` must be the same.
 */
function senderIn(header: Header, shared: Header): string {
  const skid = didUrlIn('skid', header, shared)
  const apu = bytesOfBase64url(memberOf('apu', header, shared))?.toString()
  if (apu?.startsWith('did:') && apu !== skid) throw refuse('apu names another sender')
  return skid
}

function partyIn(name: 'apu' | 'apv', header: Header, shared: Header): string | undefined {
  const value = memberOf(name, header, shared)
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value.length > 2 * maxDidUrlLength || !bytesOfBase64url(value)) throw refuse(name)
  return value
}

function ephemeralKey(value: unknown): OkpPublicJwk {
  const jwk = parseKey(value)
  // X25519 accepts several encodings of a point (RFC 7748, section 5). Only the canonical one is accepted here.
  if (jwk?.crv !== 'X25519' || !isCanonical(Buffer.from(jwk.x, 'base64url'))) throw refuse('epk is not an X25519 key')
  return jwk
}

function parseKey(value: unknown) {
  try {
    return parsePublicJwk(value)
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

/** Whether the number is below 2^255 - 19. The least significant byte comes first. */
function isCanonical(point: Buffer): boolean {
  const [low = 0, high = 0] = [point[0], point[31]]
  return high < 0x7f || (high === 0x7f && (low < 0xed || point.subarray(1, 31).some((byte) => byte !== 0xff)))
}

function refuse(why: string): FormatError {
  return new FormatError('invalid_message', why)
}
