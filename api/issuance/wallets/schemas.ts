import { z } from 'zod'
import { described, idOf, Name, named, PemCertificate, secret } from '../../http/fields.ts'
import { kept } from '../../http/kept.ts'
import { ProviderCheckResult } from '../../relying-party/tested.ts'
import { attestationChecks } from '../proofs/client-attestation.ts'
import { isRedirectUri } from './admitted-client.ts'

const RedirectUri = z
  .string()
  .refine(isRedirectUri, 'Must be https, http on loopback or a private-use URI scheme, without fragment and user')

const Attestation = named(
  'WalletAttestation',
  'The attestation rules for instances of the wallet (OAuth 2.0 Attestation-Based Client Authentication)',
  z
    .object({
      required: z.boolean().default(false).describe('Only attested instances get tokens'),
      dpopRequired: z
        .boolean()
        .default(false)
        .describe('The DPoP key must be the attested key, and the DPoP proof replaces the proof of possession'),
      rootCertificates: z
        .array(PemCertificate)
        .max(20)
        .default([])
        .meta({ description: 'The root certificates of the attestations, in PEM. At most 20', examples: [[]] }),
    })
    .refine(({ required, rootCertificates }) => !required || rootCertificates.length > 0, {
      path: ['rootCertificates'],
      message: 'Add a root certificate, because an attestation is required',
    }),
)

/** The rules of a new wallet. */
export const noAttestation = { required: false, dpopRequired: false, rootCertificates: [] }

const DpopRequired = z.boolean().describe('Only wallets that prove a key by DPoP get tokens')

const fields = {
  name: described(Name, 'The name of the wallet shown to operators', 'Campus wallet'),
  redirectUris: described(
    z.array(RedirectUri).min(1).max(50),
    'The allowed redirect URIs, compared character by character',
    ['https://wallet.example.org/callback'],
  ),
  attestation: Attestation.default(noAttestation),
  dpopRequired: DpopRequired.default(false),
}

const ClientId = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\x21-\x7e]+$/, 'Must be printable ASCII')

export const NewOAuthClient = z.object({
  ...fields,
  clientId: described(ClientId, 'The client id of the wallet. Default: generated', 'campus-wallet').optional(),
})

export const OAuthClientUpdate = z.object({
  ...fields,
  attestation: kept(Attestation),
  dpopRequired: kept(DpopRequired),
})

export const OAuthClientView = z.object({
  id: idOf('OAuth client'),
  clientId: described(z.string(), 'The client id of the wallet', 'campus-wallet'),
  ...fields,
})

/** The maximum length of request headers. */
const maxAttestationLength = 16_000

export const AttestationToTest = z.object({
  clientAttestation: secret(
    described(
      z.string().trim().min(1, 'Must be a JWT').max(maxAttestationLength),
      'The value of the header `OAuth-Client-Attestation`: a JWT',
      'eyJ0eXAiOiJvYXV0aC1jbGllbnQtYXR0ZXN0YXRpb24rand0IiwiYWxnIjoiRVMyNTYifQ.e30.AA',
    ),
  ),
  clientId: described(
    ClientId,
    'The `client_id` that the wallet sends. Absent if only the attestation names the client',
    'campus-wallet',
  ).exactOptional(),
})

export const AttestationTestView = z.object({
  works: described(z.boolean(), 'Whether the token endpoint would accept it now', false),
  checks: z
    .array(
      z.object({
        check: described(
          named('AttestationCheck', 'A check of an attestation', z.enum(['roots', ...attestationChecks, 'possession'])),
          '`roots`: trusted certificates are configured. `possession`: the wallet holds the key, which only a real request can show',
          'chain',
        ),
        result: described(ProviderCheckResult, '`unknown` if only a real request can show it', 'failed'),
        message: described(
          z.string(),
          'The result of the check. For a failed check, the message for the wallet',
          'The client attestation is not acceptable. Its x5c is not acceptable: No chain leads to a trusted root',
        ),
      }),
    )
    .describe('The checks in their order. No check follows a failed one'),
})
