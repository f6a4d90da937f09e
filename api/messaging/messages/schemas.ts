import { z } from 'zod'
import { longestDidUrl, mostRecipients } from '../../../shared/formats/jwm/limits.ts'
import { ClaimsObject, described, exampleId, named } from '../../http/fields.ts'
import { exampleAgreementKey, exampleKeyDid } from '../../identifiers/dids/schemas.ts'

/** A DID, or the DID URL of a key in its document. */
export const DidUrl = z
  .string()
  .max(longestDidUrl)
  .regex(/^did:[a-z0-9]+:[A-Za-z0-9._:%-]+(#[^#\s]+)?$/, 'Must be a DID, or the DID URL of a key')

const exampleMessage = {
  id: exampleId('message'),
  type: 'https://example.org/messages/greeting',
  created_time: 1_795_339_800,
  body: { text: 'Welcome' },
}

/** A JSON Web Message: what else it has is sent as it is. */
const Message = z.looseObject({
  id: z.string().min(1).max(200).describe('By which its receiver tells repetitions'),
  type: z.string().min(1).max(2_000).describe('What the message is, a URI'),
  from: z
    .string()
    .max(longestDidUrl)
    .optional()
    .describe('The DID of who sends it: that of `senderDidUrl`, or one of its keys'),
  created_time: z.int().min(0).optional().describe('When it was made, in seconds since 1970'),
  body: ClaimsObject.describe('What it says'),
})

export const EncryptRequest = z.object({
  senderDidUrl: described(
    DidUrl,
    'Of a key of yours for key agreement, or a DID of yours: then its first such key',
    exampleKeyDid,
  ),
  recipientDidUrls: described(
    z.array(DidUrl).min(1).max(mostRecipients),
    `Of keys of X25519, or DIDs: then the first such key of each. A key that is there twice counts once. At most ${mostRecipients}`,
    [exampleKeyDid],
  ),
  payload: described(Message, 'The message', exampleMessage),
})

const EphemeralKey = z.object({
  kty: z.literal('OKP').describe('The kind of the key (RFC 8037)'),
  crv: z.literal('X25519').describe('The curve'),
  x: z.string().describe('The public key, base64url'),
})

const jweWords = {
  protected: 'The protected header, base64url',
  recipients: 'One for each key that can read it',
  ciphertext: 'What is encrypted, base64url',
  iv: 'The initialisation vector, base64url',
  tag: 'The authentication tag, base64url',
  encryptionKey: 'The content key, encrypted for this recipient, base64url',
  encryptedKey: 'The same, by its name in RFC 7516',
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
  'A message that only its recipients can read',
  z.object({
    jwe: described(
      z.object({
        protected: z.string().describe(jweWords.protected),
        recipients: z
          .array(
            z.object({
              header: z
                .object({
                  alg: z.string().describe('How keys are agreed on: `ECDH-1PU+A256KW`'),
                  kid: z.string().describe('The key of the recipient, a DID URL'),
                  epk: EphemeralKey.describe('The key that was made for this message'),
                  skid: z.string().describe('The key of the sender, a DID URL'),
                  apu: z.string().describe('`skid` in base64url, for the key derivation'),
                  apv: z.string().describe('`kid` in base64url, for the key derivation'),
                })
                .describe('What the recipient needs'),
              encryption_key: z.string().describe(jweWords.encryptionKey),
              encrypted_key: z.string().describe(jweWords.encryptedKey),
            }),
          )
          .describe(jweWords.recipients),
        ciphertext: z.string().describe(jweWords.ciphertext),
        iv: z.string().describe(jweWords.iv),
        tag: z.string().describe(jweWords.tag),
      }),
      'The message, in the general JSON serialisation (RFC 7516, section 7.2.1)',
      exampleJwe,
    ),
  }),
)

/** What is wrong with each of very many would be written down before anybody counted them. */
const mostRecipientsRead = 1_000

/** A message of anybody, in outline: what is wrong inside is no matter of a single field. */
export const EncryptedMessageSchema = z.object({
  protected: z.string().describe(jweWords.protected),
  recipients: z
    .array(
      z.object({
        header: z.record(z.string(), z.unknown()).describe('What the recipient needs'),
        encrypted_key: z.string().optional().describe(jweWords.encryptedKey),
        encryption_key: z.string().optional().describe(jweWords.encryptionKey),
      }),
    )
    .max(mostRecipientsRead)
    .describe(`${jweWords.recipients}; at most ${mostRecipients} of a message that can be read`),
  ciphertext: z.string().describe(jweWords.ciphertext),
  iv: z.string().describe(jweWords.iv),
  tag: z.string().describe(jweWords.tag),
})

export const DecryptRequest = z.object({
  jwe: described(EncryptedMessageSchema, 'The message, as `/v1/messaging/encrypt` makes it', exampleJwe),
  allowSenderMismatch: z
    .boolean()
    .default(false)
    .describe('`true` opens the message also where `payload.from` is not the DID of the key that encrypted it'),
})

const PublicKey = named(
  'PublicKey',
  'A public key (RFC 7517)',
  z.object({
    kty: described(z.string(), 'The kind of the key', 'OKP'),
    crv: described(z.string(), 'The curve', 'X25519'),
    x: described(z.string(), 'The key, base64url', 'hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo'),
    y: z.string().optional().describe('The other coordinate, of curves that have one'),
  }),
)

export const DecryptedMessage = named(
  'DecryptedMessage',
  'A message that was opened, and between whom it was',
  z.object({
    payload: described(z.record(z.string(), z.unknown()), 'The message', exampleMessage),
    senderDidUrl: described(z.string(), 'The key of who sent it', exampleAgreementKey),
    senderMatches: described(
      z.boolean(),
      'Whether `payload.from`, where the message has it, is the DID of `senderDidUrl`; `false` only with `allowSenderMismatch`',
      true,
    ),
    senderPublicJwk: PublicKey.describe('The same, as a JWK'),
    recipientDidUrl: described(z.string(), 'Your key that opened it', exampleAgreementKey),
  }),
)

const exampleSigned = { text: 'Welcome' }

export const SignMessageRequest = z.object({
  didUrl: described(DidUrl, 'Of a key of yours of Ed25519, or a DID of yours: then its first such key', exampleKeyDid),
  payload: described(ClaimsObject, 'What is signed', exampleSigned),
})

export const SignedMessage = described(
  z.string(),
  'A compact JWS',
  'eyJhbGciOiJFZERTQSIsImtpZCI6ImRpZDprZXk6ejZNa2hhWGdCWkR2b3REa0w1MjU3ZmFpenRpR2lDMlF0S0xHcGJubkVHdGEyZG9LIn0.eyJ0ZXh0IjoiV2VsY29tZSJ9.c2lnbmF0dXJl',
)

export const MessageToVerify = z.object({ jws: SignedMessage.min(1) })

export const VerifiedMessage = named(
  'VerifiedMessage',
  'What a signature was found to be',
  z.object({
    verified: described(
      z.boolean(),
      'Whether the signature is that of the key that `kid` names, and `iss`, where there is one, its DID',
      true,
    ),
    payload: described(z.unknown().optional(), 'What was signed; absent where the signature is wrong', exampleSigned),
    didUrl: described(
      z.string(),
      'The key that signed it',
      `${exampleKeyDid}#${exampleKeyDid.slice('did:key:'.length)}`,
    ),
    did: described(z.string(), 'Whose it is', exampleKeyDid),
    signerPublicJwk: described(PublicKey, 'The key; absent where it cannot be had', {
      kty: 'OKP',
      crv: 'Ed25519',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    }).optional(),
  }),
)
