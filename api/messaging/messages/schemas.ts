import { z } from 'zod'
import { longestDidUrl, mostRecipients } from '../../../shared/formats/jwm/limits.ts'
import { ClaimsObject } from '../../http/fields.ts'

/** A DID, or the DID URL of a key in its document. */
export const DidUrl = z
  .string()
  .max(longestDidUrl)
  .regex(/^did:[a-z0-9]+:[A-Za-z0-9._:%-]+(#[^#\s]+)?$/, 'Must be a DID, or the DID URL of a key')

/** A JSON Web Message: what else it has is sent as it is. */
const Message = z.looseObject({
  id: z.string().min(1).max(200),
  type: z.string().min(1).max(2_000),
  from: z.string().max(longestDidUrl).optional(),
  created_time: z.int().min(0).optional().describe('Seconds since 1970'),
  body: ClaimsObject,
})

export const MessageToEncrypt = z.object({
  senderDidUrl: DidUrl.describe('Of a key of yours for key agreement, or a DID of yours: then its first such key'),
  recipientDidUrls: z
    .array(DidUrl)
    .min(1)
    .max(mostRecipients)
    .describe('Of keys of X25519, or DIDs: then the first such key of each. A key that is there twice counts once'),
  payload: Message,
})

const EphemeralKey = z.object({ kty: z.literal('OKP'), crv: z.literal('X25519'), x: z.string() })

export const MessageView = z.object({
  jwe: z.object({
    protected: z.string(),
    recipients: z.array(
      z.object({
        header: z.object({
          alg: z.string(),
          kid: z.string(),
          epk: EphemeralKey,
          skid: z.string(),
          apu: z.string(),
          apv: z.string(),
        }),
        encryption_key: z.string(),
        encrypted_key: z.string().describe('The same, by its name in RFC 7516'),
      }),
    ),
    ciphertext: z.string(),
    iv: z.string(),
    tag: z.string(),
  }),
})

/** What is wrong with each of very many would be written down before anybody counted them. */
const mostRecipientsRead = 1_000

/** A message of anybody, in outline: what is wrong inside is no matter of a single field. */
export const EncryptedMessage = z.object({
  protected: z.string(),
  recipients: z
    .array(
      z.object({
        header: z.record(z.string(), z.unknown()),
        encrypted_key: z.string().optional(),
        encryption_key: z.string().optional(),
      }),
    )
    .max(mostRecipientsRead)
    .describe(`At most ${mostRecipients} of a message that can be read`),
  ciphertext: z.string(),
  iv: z.string(),
  tag: z.string(),
})

export const MessageToDecrypt = z.object({ jwe: EncryptedMessage })

const PublicKey = z.object({ kty: z.string(), crv: z.string(), x: z.string(), y: z.string().optional() })

export const DecryptedMessage = z.object({
  payload: z.record(z.string(), z.unknown()),
  senderDidUrl: z.string(),
  senderPublicJwk: PublicKey,
  recipientDidUrl: z.string(),
})

export const MessageToSign = z.object({
  didUrl: DidUrl.describe('Of a key of yours of Ed25519, or a DID of yours: then its first such key'),
  payload: ClaimsObject,
})

export const MessageToVerify = z.object({ jws: z.string().min(1).describe('Compact') })

export const VerifiedMessage = z.object({
  verified: z
    .boolean()
    .describe('Whether the signature is that of the key that `kid` names, and `iss`, where there is one, its DID'),
  payload: z.unknown().optional().describe('Absent where the signature is wrong'),
  didUrl: z.string().describe('Of the key'),
  did: z.string(),
  signerPublicJwk: PublicKey.optional().describe('Absent where the key cannot be had'),
})
