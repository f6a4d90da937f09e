import { Buffer } from 'node:buffer'
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/**
 * Encrypts messages by the text of draft-madden-jose-ecdh-1pu-04 with Node's crypto only. For XC20P it follows earlier
 * drafts, whose key derivation does not include the tag. It shares no code with the service.
 */
export type Enc = 'XC20P' | 'A256GCM' | 'A256CBC-HS512'

export interface OutsideKey {
  didUrl: string
  privateKey: KeyObject
  publicKey: KeyObject
}

export interface OutsideMessage {
  protected: string
  // biome-ignore lint/suspicious/noExplicitAny: tests change any member
  recipients: { header: Record<string, any>; encrypted_key?: string; encryption_key?: string }[]
  ciphertext: string
  iv: string
  tag: string
}

const b64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url')
const from64 = (text: string) => Buffer.from(text, 'base64url')
const x25519 = (key: JsonWebKey) => createPublicKey({ key, format: 'jwk' })
export const jwkOf = (key: KeyObject) => key.export({ format: 'jwk' })

export interface OutsideOptions {
  enc?: Enc
  /** Where epk, skid, apu and apv are. DIDComm v2 has one ephemeral key for all recipients in the protected header. */
  headers?: 'protected' | 'recipients'
  /** Inputs of the key derivation and the headers. An absent member is left out. */
  apu?: string
  apv?: string
  /** The identifier of the encrypted key. */
  named?: 'encrypted_key' | 'encryption_key'
  protectedMore?: object
}

/** Encrypts for several recipients. */
export function sealOutside(
  plaintext: string,
  sender: Pick<OutsideKey, 'didUrl' | 'privateKey'>,
  recipients: Pick<OutsideKey, 'didUrl' | 'publicKey'>[],
  { enc = 'XC20P', headers = 'recipients', apu, apv, named = 'encrypted_key', protectedMore }: OutsideOptions = {},
): OutsideMessage {
  const cek = randomBytes(enc === 'A256CBC-HS512' ? 64 : 32)
  const iv = randomBytes({ XC20P: 24, A256GCM: 12, 'A256CBC-HS512': 16 }[enc])
  const shared = generateKeyPairSync('x25519')
  const about = (ephemeral: KeyObject) => ({
    epk: jwkOf(ephemeral),
    skid: sender.didUrl,
    ...(apu === undefined ? {} : { apu: b64(apu) }),
    ...(apv === undefined ? {} : { apv: b64(apv) }),
  })
  const isShared = headers === 'protected'
  const head = isShared
    ? { typ: 'application/didcomm-encrypted+json', alg: 'ECDH-1PU+A256KW', enc, ...about(shared.publicKey) }
    : { enc }
  const text = b64(JSON.stringify({ ...head, ...protectedMore }))
  const { ciphertext, tag } = sealContent(enc, cek, iv, Buffer.from(plaintext), Buffer.from(text))
  return {
    protected: text,
    recipients: recipients.map(({ didUrl, publicKey }) => {
      const ephemeral = isShared ? shared : generateKeyPairSync('x25519')
      const ze = diffieHellman({ privateKey: ephemeral.privateKey, publicKey })
      const zs = diffieHellman({ privateKey: sender.privateKey, publicKey })
      const kek = derive(Buffer.concat([ze, zs]), apu ?? '', apv ?? '', enc === 'A256CBC-HS512' ? tag : undefined)
      const wrap = createCipheriv('aes256-wrap', kek, Buffer.alloc(8, 0xa6))
      const wrapped = b64(Buffer.concat([wrap.update(cek), wrap.final()]))
      const own = isShared ? {} : { alg: 'ECDH-1PU+A256KW', ...about(ephemeral.publicKey) }
      return { header: { kid: didUrl, ...own }, [named]: wrapped }
    }),
    ciphertext: b64(ciphertext),
    iv: b64(iv),
    tag: b64(tag),
  }
}

/** Opens a message of XC20P with per-recipient headers, as the service makes them. */
export function openOutside(message: OutsideMessage, recipient: OutsideKey, senderKey: KeyObject): string {
  const entry = message.recipients.find(({ header }) => header.kid === recipient.didUrl)
  if (!entry) throw new Error('not for this recipient')
  const { epk, apu, apv } = entry.header
  const ze = diffieHellman({ privateKey: recipient.privateKey, publicKey: x25519(epk) })
  const zs = diffieHellman({ privateKey: recipient.privateKey, publicKey: senderKey })
  const kek = derive(Buffer.concat([ze, zs]), from64(apu).toString(), from64(apv).toString(), undefined)
  const unwrap = createDecipheriv('aes256-wrap', kek, Buffer.alloc(8, 0xa6))
  const cek = Buffer.concat([unwrap.update(from64(entry.encrypted_key ?? '')), unwrap.final()])
  const iv = from64(message.iv)
  const open = createDecipheriv('chacha20-poly1305', hChaCha20(cek, iv), chachaNonce(iv), { authTagLength: 16 })
  open.setAAD(Buffer.from(message.protected), { plaintextLength: from64(message.ciphertext).length })
  open.setAuthTag(from64(message.tag))
  return Buffer.concat([open.update(from64(message.ciphertext)), open.final()]).toString()
}

/** NIST SP 800-56A, section 5.8.1, with SHA-256 and the parameters of RFC 7518, section 4.6.2. */
function derive(z: Buffer, apu: string, apv: string, tag: Buffer | undefined): Buffer {
  const field = (value: Buffer | string) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(Buffer.byteLength(value))
    return Buffer.concat([length, Buffer.from(value)])
  }
  const hash = createHash('sha256')
    .update(Buffer.from([0, 0, 0, 1]))
    .update(z)
  hash
    .update(field('ECDH-1PU+A256KW'))
    .update(field(apu))
    .update(field(apv))
    .update(Buffer.from([0, 0, 1, 0]))
  if (tag) hash.update(field(tag))
  return hash.digest()
}

function sealContent(enc: Enc, cek: Buffer, iv: Buffer, plaintext: Buffer, aad: Buffer) {
  if (enc === 'A256CBC-HS512') {
    const cbc = createCipheriv('aes-256-cbc', cek.subarray(32), iv)
    const ciphertext = Buffer.concat([cbc.update(plaintext), cbc.final()])
    const length = Buffer.alloc(8)
    length.writeUInt32BE(aad.length * 8, 4)
    const mac = createHmac('sha512', cek.subarray(0, 32)).update(Buffer.concat([aad, iv, ciphertext, length]))
    return { ciphertext, tag: mac.digest().subarray(0, 32) }
  }
  const cipher =
    enc === 'A256GCM'
      ? createCipheriv('aes-256-gcm', cek, iv)
      : createCipheriv('chacha20-poly1305', hChaCha20(cek, iv), chachaNonce(iv), { authTagLength: 16 })
  cipher.setAAD(aad, { plaintextLength: plaintext.length })
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return { ciphertext, tag: cipher.getAuthTag() }
}

/** draft-irtf-cfrg-xchacha-03, section 2.3: the rest of the iv follows four zero bytes. */
const chachaNonce = (iv: Buffer) => Buffer.concat([Buffer.alloc(4), iv.subarray(16)])

/** Section 2.2: the ChaCha20 block before the state is added. OpenSSL returns the sum. */
function hChaCha20(key: Buffer, iv: Buffer): Buffer {
  const state = Buffer.concat([Buffer.from('expand 32-byte k'), key, iv.subarray(0, 16)])
  const block = createCipheriv('chacha20', key, iv.subarray(0, 16)).update(Buffer.alloc(64))
  const subkey = Buffer.alloc(32)
  for (const [at, word] of [0, 1, 2, 3, 12, 13, 14, 15].entries()) {
    subkey.writeUInt32LE((block.readUInt32LE(word * 4) - state.readUInt32LE(word * 4)) >>> 0, at * 4)
  }
  return subkey
}
