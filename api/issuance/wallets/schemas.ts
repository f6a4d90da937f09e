import { z } from 'zod'
import { Name, PemCertificate } from '../../http/fields.ts'
import { isRedirectUri } from './admitted-client.ts'

const RedirectUri = z
  .string()
  .refine(isRedirectUri, 'Must be https, http on loopback or a scheme of the app, without fragment and user')

const fields = {
  name: Name,
  redirectUris: z.array(RedirectUri).min(1).max(50),
  attestation: z
    .object({
      required: z.boolean().default(false),
      dpopRequired: z
        .boolean()
        .default(false)
        .describe('The DPoP key must be the attested key, and takes the place of the proof of possession'),
      rootCertificates: z.array(PemCertificate).max(20).default([]),
    })
    .default({ required: false, dpopRequired: false, rootCertificates: [] })
    .refine(({ required, rootCertificates }) => !required || rootCertificates.length > 0, {
      path: ['rootCertificates'],
      message: 'Must name a root when an attestation is required',
    }),
  dpopRequired: z.boolean().default(false).describe('Tokens are given only to wallets that prove a key'),
}

export const NewOAuthClient = z.object({
  ...fields,
  clientId: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[\x21-\x7e]+$/, 'Must be printable ASCII')
    .optional()
    .describe('How the wallet calls itself; made up when absent'),
})

export const OAuthClientUpdate = z.object(fields)

export const OAuthClientView = z.object({ id: z.string(), clientId: z.string(), ...fields })
