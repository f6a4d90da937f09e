import { z } from 'zod'
import { described, idOf, Name, named, PemCertificate } from '../../http/fields.ts'
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

export const NewOAuthClient = z.object({
  ...fields,
  clientId: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[\x21-\x7e]+$/, 'Must be printable ASCII')
    .meta({ description: 'How the wallet calls itself; made up when absent', examples: ['campus-wallet'] })
    .optional(),
})

export const OAuthClientUpdate = z.object(fields)

export const OAuthClientView = z.object({
  id: idOf('OAuth client'),
  clientId: described(z.string(), 'How the wallet calls itself', 'campus-wallet'),
  ...fields,
})
