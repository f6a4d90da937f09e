import { z } from 'zod'
import { described, idOf, Name, named, PemCertificate, secret } from '../../http/fields.ts'
import { ProviderCheckResult } from '../../relying-party/tested.ts'
import { attestationChecks } from '../proofs/client-attestation.ts'
import { isRedirectUri } from './admitted-client.ts'

const RedirectUri = z
  .string()
  .refine(isRedirectUri, 'Must be https, http on loopback or a scheme of the app, without fragment and user')

const Attestation = named(
  'WalletAttestation',
  'Whether its instances are attested by their provider (OAuth 2.0 Attestation-Based Client Authentication)',
  z
    .object({
      required: z.boolean().default(false).describe('Tokens are given to attested instances alone'),
      dpopRequired: z
        .boolean()
        .default(false)
        .describe('The DPoP key must be the attested key, and takes the place of the proof of possession'),
      rootCertificates: z
        .array(PemCertificate)
        .max(20)
        .default([])
        .meta({ description: 'Roots under which the provider attests, in PEM; at most 20', examples: [[]] }),
    })
    .refine(({ required, rootCertificates }) => !required || rootCertificates.length > 0, {
      path: ['rootCertificates'],
      message: 'Must name a root when an attestation is required',
    }),
)

const fields = {
  name: described(Name, 'What people call the wallet', 'Campus wallet'),
  redirectUris: described(
    z.array(RedirectUri).min(1).max(50),
    'Where people may be sent back to with a code; compared character by character',
    ['https://wallet.example.org/callback'],
  ),
  attestation: Attestation.default({ required: false, dpopRequired: false, rootCertificates: [] }),
  dpopRequired: z.boolean().default(false).describe('Tokens are given only to wallets that prove a key'),
}

const ClientId = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\x21-\x7e]+$/, 'Must be printable ASCII')

export const NewOAuthClient = z.object({
  ...fields,
  clientId: described(ClientId, 'How the wallet calls itself; made up when absent', 'campus-wallet').optional(),
})

export const OAuthClientUpdate = z.object(fields)

export const OAuthClientView = z.object({
  id: idOf('OAuth client'),
  clientId: described(z.string(), 'How the wallet calls itself', 'campus-wallet'),
  ...fields,
})

/** A request has no longer headers. */
const longestAttestation = 16_000

export const AttestationToTest = z.object({
  clientAttestation: secret(
    described(
      z.string().trim().min(1, 'Must be a JWT').max(longestAttestation),
      'What the wallet sends in the header `OAuth-Client-Attestation`: a JWT',
      'eyJ0eXAiOiJvYXV0aC1jbGllbnQtYXR0ZXN0YXRpb24rand0IiwiYWxnIjoiRVMyNTYifQ.e30.AA',
    ),
  ),
  clientId: described(
    ClientId,
    'The `client_id` that the wallet sends; absent where it leaves it to the attestation to say who it is',
    'campus-wallet',
  ).exactOptional(),
})

export const AttestationTestView = z.object({
  works: described(z.boolean(), 'Whether the token endpoint would take it now', false),
  checks: z
    .array(
      z.object({
        check: described(
          named(
            'AttestationCheck',
            'What is looked at of an attestation',
            z.enum(['roots', ...attestationChecks, 'possession']),
          ),
          '`roots`: there are certificates under which it could be. `possession`: that the wallet has the key, which is seen when it comes',
          'chain',
        ),
        result: described(ProviderCheckResult, '`unknown` where nobody can tell before the wallet comes', 'failed'),
        message: described(
          z.string(),
          'What was found; where it failed, what the wallet is told',
          'The client attestation is not acceptable. Its x5c is not acceptable: No chain leads to a trusted root',
        ),
      }),
    )
    .describe('In the order in which they were made; after one that failed, none'),
})
