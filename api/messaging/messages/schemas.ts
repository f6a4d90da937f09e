import { z } from 'zod'
import { maxDidUrlLength, maxRecipients } from '../../../shared/formats/jwm/limits.ts'
import { ClaimsObject, described, exampleId, named } from '../../http/fields.ts'
import { exampleAgreementKey, exampleKeyDid } from '../../identifiers/dids/schemas.ts'

/** A DID, or the DID URL of a key in its document. */
export const DidUrl = z
  .string()
  .max(maxDidUrlLength)
  .regex(/^did:[a-z0-9]+:[A-Za-z0-9._:%-]+(#[^#\s]+)?$/, 'Must be a DID or the DID URL of a key')

const exampleMessage = {
  id: exampleId('message'),
  type: 'https://example.org/messages/greeting',
  created_time: 1_795_339_800,
  body: { text: 'Welcome' },
}

/** A JSON Web Message. Other members are sent unchanged. */
const Message = z.looseObject({
  id: z.string().min(1).max(200).describe('Identifies the message, so that its receiver can detect duplicates'),
  type: z.string().min(1).max(2_000).describe('The type of the message, a URI'),
  from: z
    .string()
    .max(maxDidUrlLength)
    .optional()
    .describe('The DID of the sender: the DID of `senderDidUrl`, or a DID URL of it'),
  created_time: z.int().min(0).optional().describe('When it was created, in seconds since 1970'),
  body: ClaimsObject.describe('The content of the message'),
})

export const EncryptRequest = z.object({
  senderDidUrl: described(
    DidUrl,
    'The DID URL of your key for key agreement, or your DID. For a DID, its first such key is used.',
    exampleKeyDid,
  ),
  recipientDidUrls: described(
    z.array(DidUrl).min(1).max(maxRecipients),
    `DID URLs of X25519 keys, or DIDs, at most ${maxRecipients}. For a DID, its first such key is used. A repeated key counts once.`,
    [exampleKeyDid],
  ),
  payload: described(Message, 'The message', exampleMessage),
})

const EphemeralKey = z.object({
  kty: z.literal('OKP').describe('The type of the key (RFC 8037)'),
  crv: z.literal('X25519').describe('The curve'),
  x: z.string().describe('The public key in base64url'),
})

const jweDescriptions = {
  protected: 'The protected header in base64url',
  recipients: 'One entry for each key that can decrypt the message',
  ciphertext: 'The ciphertext in base64url',
  iv: 'The initialisation vector in base64url',
  tag: 'The authentication tag in base64url',
  encryptionKey: 'The content key, encrypted for this recipient, in base64url',
  encryptedKey: 'The same value under its name in RFC 7516',
}

export const exampleJwe = {
  protected: 'eyJ0eXAiOiJhcHBsaWNhdGlvbi9kaWRjb21tLWVuY3J5cHRlZCtqc29uIiwiZW5jIjoiWEMyMFAifQ',
  recipients: [
    {
      header: {
        alg: 'ECDH-1PU+A256KW',
        kid: exampleAgreementKey,
        epk: { kty: 'OKP' as const, crv: 'X25519' as const, x: 'hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo' },
        skid: exampleAgreementKey,
        apu: 'ZGlkOmtleTp6Nk1raGFYZ0JaRHZvdERrTDUyNTdmYWl6dGlHaUMyUXRLTEdwYm5uRUd0YTJkb0s',
        apv: 'ZGlkOmtleTp6Nk1raGFYZ0JaRHZvdERrTDUyNTdmYWl6dGlHaUMyUXRLTEdwYm5uRUd0YTJkb0s',
      },
      encryption_key: 'ZW5jcnlwdGVkLWtleQ',
      encrypted_key: 'ZW5jcnlwdGVkLWtleQ',
    },
  ],
  ciphertext: 'Y2lwaGVydGV4dA',
  iv: 'aW5pdGlhbGlzYXRpb24',
  tag: 'YXV0aGVudGljYXRpb24',
}

export const MessageView = named(
  'EncryptedMessage',
  'An encrypted message',
  z.object({
    jwe: described(
      z.object({
        protected: z.string().describe(jweDescriptions.protected),
        recipients: z
          .array(
            z.object({
              header: z
                .object({
                  alg: z.string().describe('The key agreement algorithm: `ECDH-1PU+A256KW`'),
                  kid: z.string().describe('The key of the recipient, a DID URL'),
                  epk: EphemeralKey.describe('The ephemeral key of this message'),
                  skid: z.string().describe('The key of the sender, a DID URL'),
                  apu: z.string().describe('`skid` in base64url, for the key derivation'),
                  apv: z.string().describe('`kid` in base64url, for the key derivation'),
                })
                .describe('The header of the recipient'),
              encryption_key: z.string().describe(jweDescriptions.encryptionKey),
              encrypted_key: z.string().describe(jweDescriptions.encryptedKey),
            }),
          )
          .describe(jweDescriptions.recipients),
        ciphertext: z.string().describe(jweDescriptions.ciphertext),
        iv: z.string().describe(jweDescriptions.iv),
        tag: z.string().describe(jweDescriptions.tag),
      }),
      'The message, in the general JSON serialisation (RFC 7516, section 7.2.1)',
      exampleJwe,
    ),
  }),
)

/** Limits the input of the validation. Without it, a message with very many recipients would produce a detail for each. */
const maxRecipientsRead = 1_000

/** The outline of a received message. Faults inside its parts are not reported by field. */
export const EncryptedMessageSchema = z.object({
  protected: z.string().describe(jweDescriptions.protected),
  recipients: z
    .array(
      z.object({
        header: z.record(z.string(), z.unknown()).describe('The header of the recipient'),
        encrypted_key: z.string().optional().describe(jweDescriptions.encryptedKey),
        encryption_key: z.string().optional().describe(jweDescriptions.encryptionKey),
      }),
    )
    .max(maxRecipientsRead)
    .describe(`${jweDescriptions.recipients}. A readable message has at most ${maxRecipients}.`),
  ciphertext: z.string().describe(jweDescriptions.ciphertext),
  iv: z.string().describe(jweDescriptions.iv),
  tag: z.string().describe(jweDescriptions.tag),
})

export const DecryptRequest = z.object({
  jwe: described(EncryptedMessageSchema, 'The message in the form of `/v1/messaging/encrypt`', exampleJwe),
  allowSenderMismatch: z
    .boolean()
    .default(false)
    .describe('`true` to decrypt the message even if `payload.from` is not the DID of the key that encrypted it'),
})

const PublicKey = named(
  'PublicKey',
  'A public key (RFC 7517)',
  z.object({
    kty: described(z.string(), 'The type of the key', 'OKP'),
    crv: described(z.string(), 'The curve', 'X25519'),
    x: described(z.string(), 'The key in base64url', 'hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo'),
    y: z.string().optional().describe('The second coordinate, for curves that have one'),
  }),
)

export const DecryptedMessage = named(
  'DecryptedMessage',
  'A decrypted message, its sender and its recipient',
  z.object({
    payload: described(z.record(z.string(), z.unknown()), 'The message', exampleMessage),
    senderDidUrl: described(z.string(), 'The key of the sender', exampleAgreementKey),
    senderMatches: described(
      z.boolean(),
      'Whether `payload.from`, if present, is the DID of `senderDidUrl`. Can be `false` only with `allowSenderMismatch`.',
      true,
    ),
    senderPublicJwk: PublicKey.describe('The key of the sender as a JWK'),
    recipientDidUrl: described(z.string(), 'Your key that decrypted the message', exampleAgreementKey),
  }),
)

const exampleSigned = { text: 'Welcome' }

export const SignMessageRequest = z.object({
  didUrl: described(
    DidUrl,
    'The DID URL of your Ed25519 key, or your DID. For a DID, its first such key is used.',
    exampleKeyDid,
  ),
  payload: described(ClaimsObject, 'The payload to sign', exampleSigned),
})

export const SignedMessage = described(
  z.string(),
  'A compact JWS',
  'eyJhbGciOiJFZERTQSIsImtpZCI6ImRpZDprZXk6ejZNa2hhWGdCWkR2b3REa0w1MjU3ZmFpenRpR2lDMlF0S0xHcGJubkVHdGEyZG9LIn0.eyJ0ZXh0IjoiV2VsY29tZSJ9.c2lnbmF0dXJl',
)

export const MessageToVerify = z.object({ jws: SignedMessage.min(1) })

export const VerifiedMessage = named(
  'VerifiedMessage',
  'The result of the verification of a signature',
  z.object({
    verified: described(
      z.boolean(),
      'Whether the signature is from the key of `kid`, and `iss`, if present, is the DID of the key',
      true,
    ),
    payload: described(z.unknown().optional(), 'The signed payload. Absent if the signature is wrong.', exampleSigned),
    didUrl: described(
      z.string(),
      'The key that signed it',
      `${exampleKeyDid}#${exampleKeyDid.slice('did:key:'.length)}`,
    ),
    did: described(z.string(), 'The DID of the signer', exampleKeyDid),
    signerPublicJwk: described(PublicKey, 'The key of the signer. Absent if its DID cannot be resolved.', {
      kty: 'OKP',
      crv: 'Ed25519',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    }).optional(),
  }),
)
