import { z } from 'zod'
import { maxChainLength } from '../../../shared/formats/x509-chain.ts'
import { keyField } from '../../certificates/present.ts'
import { described, idOf, named, pemChain, Timestamp, withoutExample } from '../../http/fields.ts'

const text = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'Must not be empty')
    .max(max)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters are refused.
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'Must not have control characters')

const Subject = named(
  'AccessSubject',
  'The subject of an access certificate of a legal person (ETSI EN 319 412-3, section 4.2.1)',
  z.object({
    country: described(
      z.string().regex(/^[A-Z]{2}$/, 'Must be two upper-case letters (ISO 3166-1)'),
      'The country of registration (ISO 3166-1)',
      'BE',
    ),
    organisationName: described(text(64), 'The registered name', 'Transport Agency'),
    organisationIdentifier: described(
      text(128).regex(
        /^[A-Z]{3}[A-Z]{2}-.+$/,
        'Must be a scheme, a country, a hyphen and the identifier, such as LEIXG-529900T8BM49AURSDO55',
      ),
      'The registered identifier (ETSI EN 319 412-1, section 5.1.4)',
      'LEIXG-529900T8BM49AURSDO55',
    ),
    commonName: described(text(64), 'The name that wallets show', 'Transport Agency'),
  }),
)

export const NewAccessCertificate = z.object({
  subject: described(Subject, 'The subject of the certificate request', {
    country: 'BE',
    organisationName: 'Transport Agency',
    organisationIdentifier: 'LEIXG-529900T8BM49AURSDO55',
    commonName: 'Transport Agency',
  }),
})

const notAChain = `Must be one certificate in PEM, optionally followed by the authorities above it: at most ${maxChainLength} certificates`

export const AccessCertificateChanges = z.object({
  active: described(
    z.boolean(),
    'Whether the issuer metadata are signed with it. It replaces the certificate that was active',
    true,
  ),
  certificatePem: withoutExample(pemChain(maxChainLength, notAChain))
    .optional()
    .describe(
      'The certificate that the authority issued for the key of `csrPem`, and the authorities above it, in PEM. Leave it out to keep the stored one',
    ),
})

const Warnings = z.array(
  z.object({
    source: z.string().describe('The clause'),
    message: z.string().describe('What the certificate does not have'),
  }),
)

export const AccessCertificate = named(
  'AccessCertificate',
  'A certificate with which wallets recognize the tenant as a registered provider (ETSI TS 119 411-8)',
  z.object({
    id: idOf('access certificate'),
    active: described(z.boolean(), 'Whether the issuer metadata are signed with it', true),
    subject: Subject.describe('The subject of the certificate request'),
    csrPem: described(
      z.string(),
      'The certificate request (PKCS #10). Have an authority of access certificates certify it',
      '-----BEGIN CERTIFICATE REQUEST-----...',
    ),
    certificatePem: z
      .string()
      .optional()
      .describe(
        'The certificate and the authorities above it without the trust anchor, in PEM. Absent until it was sent',
      ),
    certificateFingerprint: z.string().optional().describe('SHA-256 of the certificate, in hex'),
    certificateSubject: withoutExample(Subject.partial()).optional().describe('The subject of the certificate'),
    notBefore: withoutExample(Timestamp).optional().describe('The start of its validity'),
    notAfter: withoutExample(Timestamp).optional().describe('The end of its validity'),
    warnings: Warnings.optional().describe('The rules of its profile that it does not follow. Wallets decide on them'),
    ...keyField,
    createdAt: Timestamp.describe('The time of its creation'),
  }),
)
