import { bytesOfBase64url } from '../base64url.ts'
import { FormatError } from '../format-error.ts'
import { type OkpPublicJwk, parsePublicJwk } from '../jwk.ts'
import { isMessageEncryption, type MessageEncryption } from './content-encryption.ts'
import { keyAgreement } from './key-agreement.ts'
import { longestDidUrl, mostPlaintextBytes, mostRecipients } from './limits.ts'

/** An encrypted message as others write it (RFC 7516, section 7.2.1): nothing of it is certain but the outline. */
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

/** What one recipient needs of a message; binary values are in base64url, as they came. */
export interface AddressedMessage {
  enc: MessageEncryption
  protected: string
  /** DID URL of the recipient's key, or its DID. */
  kid: string
  /** The same of the sender. */
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

const longestProtected = 10_000
/** Padding of a block and base64url. */
const longestCiphertext = Math.ceil(((mostPlaintextBytes + 16) * 4) / 3)

/** The `kid` of each recipient, in their order; undefined where there is none that could be ours. Throws `invalid_message`. */
export function recipientsOf({ recipients, ciphertext, protected: text }: ReceivedMessage): (string | undefined)[] {
  if (recipients.length === 0 || recipients.length > mostRecipients) throw refuse('too few recipients, or too many')
  if (ciphertext.length > longestCiphertext || text.length > longestProtected) throw refuse('too large')
  const kids = recipients.map(({ header: { kid } }) =>
    typeof kid === 'string' && kid.length <= longestDidUrl ? kid : undefined,
  )
  const named = kids.filter((kid) => kid !== undefined)
  if (new Set(named).size < named.length) throw refuse('a recipient is there twice')
  return kids
}

/** The message for the recipient at this place; what is wrong with others is no matter of his. Throws `invalid_message`. */
export function messageFor(message: ReceivedMessage, place: number): AddressedMessage {
  const recipient = message.recipients[place]
  if (!recipient) throw refuse('no such recipient')
  const shared = protectedHeader(message.protected)
  const enc = encryptionIn(shared)
  const { header } = recipient
  checkAlg(header.alg, shared.alg, enc)
  // What would change the meaning is not understood here (RFC 7516, sections 4.1.3 and 4.1.13).
  for (const name of ['crit', 'zip']) if (name in shared || name in header) throw refuse(`${name} is not taken`)
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
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Header
  } catch {
    // below
  }
  throw refuse('the protected header is no object')
}

/** Some senders write how the content is encrypted in `alg` of the protected header, alone or beside `enc`. */
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

/** A member is in one header, not in both (RFC 7516, section 7.2.1). */
function memberOf(name: string, header: Header, shared: Header): unknown {
  if (name in header && name in shared) throw refuse(`${name} is there twice`)
  return header[name] ?? shared[name]
}

function didUrlIn(name: 'kid' | 'skid', header: Header, shared: Header): string {
  const value = memberOf(name, header, shared)
  if (typeof value !== 'string' || value.length > longestDidUrl) throw refuse(`no ${name}`)
  return value
}

/**
 * Who sent it. Outside of the protected header anybody could put the name of a DID into `skid` whose document holds the
 * sender's key: where `apu`, which the keys were agreed upon with, names a DID, it is that one.
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
  if (typeof value !== 'string' || value.length > 2 * longestDidUrl || !bytesOfBase64url(value)) throw refuse(name)
  return value
}

function ephemeralKey(value: unknown): OkpPublicJwk {
  const jwk = parseKey(value)
  // X25519 takes other spellings of a point for the same one (RFC 7748, section 5); here one message has one spelling.
  if (jwk?.crv !== 'X25519' || !isCanonical(Buffer.from(jwk.x, 'base64url'))) throw refuse('epk is no key of X25519')
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

/** Below 2^255 - 19; the least significant byte comes first. */
function isCanonical(point: Buffer): boolean {
  const [least = 0, most = 0] = [point[0], point[31]]
  return most < 0x7f || (most === 0x7f && (least < 0xed || point.subarray(1, 31).some((byte) => byte !== 0xff)))
}

function refuse(why: string): FormatError {
  return new FormatError('invalid_message', why)
}
