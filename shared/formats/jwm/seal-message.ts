import { diffieHellman, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { SecretAgreement } from '../bytes-signer.ts'
import { type OkpPublicJwk, publicJwk, publicKeyFromJwk } from '../jwk.ts'
import { encryptionOf, sealXChaCha } from './content-encryption.ts'
import { deriveKey, keyAgreement, wrapKey } from './key-agreement.ts'

/** An encrypted JSON Web Message in the general serialisation (RFC 7516, section 7.2.1). Values are in base64url. */
export interface SealedMessage {
  protected: string
  recipients: {
    header: Record<'alg' | 'kid' | 'skid' | 'apu' | 'apv', string> & { epk: OkpPublicJwk }
    encryption_key: string
    /** The same key, with its name in RFC 7516. */
    encrypted_key: string
  }[]
  ciphertext: string
  iv: string
  tag: string
}

export interface MessageSender {
  /** The DID URL of its key for key agreement. */
  didUrl: string
  key: SecretAgreement
}

export interface MessageRecipient {
  didUrl: string
  /** An X25519 key. */
  jwk: OkpPublicJwk
}

/** Has no `alg`, because each recipient's header has it. A member must be in only one header (RFC 7516, section 7.2.1). */
const header = { typ: 'application/didcomm-encrypted+json', enc: 'XC20P' } as const
/** The key length of XC20P. */
const keyBytes = 32

/**
 * Encrypts a message for each recipient, with one ephemeral key per recipient. Throws for a key without an agreement (`canAgree`).
 */
export async function sealMessage(
  plaintext: Buffer,
  sender: MessageSender,
  recipients: MessageRecipient[],
): Promise<SealedMessage> {
  const key = randomBytes(keyBytes)
  const protectedText = Buffer.from(JSON.stringify(header)).toString('base64url')
  const content = sealXChaCha(plaintext, key, randomBytes(encryptionOf(header.enc).ivBytes), Buffer.from(protectedText))
  return {
    protected: protectedText,
    recipients: await Promise.all(recipients.map((recipient) => sealedFor(recipient, sender, key))),
    ciphertext: content.ciphertext.toString('base64url'),
    iv: content.iv.toString('base64url'),
    tag: content.tag.toString('base64url'),
  }
}

async function sealedFor({ didUrl, jwk }: MessageRecipient, sender: MessageSender, key: Buffer) {
  const ephemeral = generateKeyPairSync('x25519')
  const [partyU, partyV] = [Buffer.from(sender.didUrl), Buffer.from(didUrl)]
  const publicKey = publicKeyFromJwk(jwk)
  const secrets = [diffieHellman({ privateKey: ephemeral.privateKey, publicKey }), await sender.key.derive(publicKey)]
  const wrapping = deriveKey(secrets, { ...keyAgreement, partyU, partyV, tag: undefined })
  const encryptedKey = wrapKey(wrapping, key).toString('base64url')
  const { x } = publicJwk(ephemeral.publicKey)
  return {
    header: {
      alg: keyAgreement.alg,
      kid: didUrl,
      epk: { kty: 'OKP', crv: 'X25519', x } as const,
      skid: sender.didUrl,
      apu: partyU.toString('base64url'),
      apv: partyV.toString('base64url'),
    },
    encryption_key: encryptedKey,
    encrypted_key: encryptedKey,
  }
}
