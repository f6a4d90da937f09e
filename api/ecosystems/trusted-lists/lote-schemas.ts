import { z } from 'zod'
import { wrongField } from '../../../shared/errors/errors.ts'
import { certificateFromPem } from '../../../shared/formats/certificate.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { subjectKeyIdentifierOf } from '../../../shared/formats/trusted-lists/entry.ts'
import type { LoteContent } from '../../../shared/formats/trusted-lists/lote/build-lote.ts'
import { rawCertificate } from '../../../shared/formats/trusted-lists/raw-certificate.ts'
import { exampleFingerprint } from '../../certificates/present.ts'
import { described, named, PemCertificate, Timestamp } from '../../http/fields.ts'
import { LoteServiceSchema } from '../ecosystems/schemas.ts'

const maxEntities = 200
const maxServices = 10
const maxCertificates = 10

const Text = z.string().trim().min(1, 'Must have 1 to 200 characters').max(200, 'Must have 1 to 200 characters')
const Country = z.string().regex(/^[A-Z]{2}$/, 'Must be two capital letters (ISO 3166-1)')
const WebAddress = z.url({ protocol: /^https?$/, error: 'Must be a URL with https or http' }).max(500)
const Contact = z.url({ protocol: /^(https?|mailto|tel)$/, error: 'Must be a URI with mailto, tel or https' }).max(500)

const PostalAddress = named(
  'LotePostalAddress',
  'A postal address',
  z.object({
    streetAddress: described(Text, 'Street and number', '1 Main Street'),
    locality: described(Text, 'The town', 'Brussels'),
    stateOrProvince: Text.optional().describe('The state or province'),
    postalCode: described(Text, 'The postal code', '1000'),
    country: described(Country, 'The country (ISO 3166-1, two letters)', 'BE'),
  }),
)
const Address = named(
  'LoteAddress',
  'A postal address and addresses for contact',
  z.object({
    postal: PostalAddress.describe('The postal address'),
    electronic: z
      .array(Contact)
      .min(1)
      .max(5)
      .meta({
        description: 'URIs with `mailto`, `tel` or `https`. At most 5.',
        examples: [['mailto:trust@agency.example']],
      }),
  }),
)
const Service = named(
  'LoteService',
  'A service of a trusted entity, with the certificates that identify it',
  z.object({
    name: described(Text, 'The name of the service', 'Issuance of PID'),
    type: described(LoteServiceSchema, 'What the entity does with the certificates', 'issuance'),
    certificates: z
      .array(PemCertificate)
      .min(1)
      .max(maxCertificates)
      .describe(`The certificates in PEM. At most ${maxCertificates}.`),
  }),
)
const Entity = named(
  'LoteEntity',
  'A trusted entity',
  z.object({
    name: described(Text, 'The official name', 'Identity Agency'),
    tradeName: Text.optional().describe('The trade name, or its identifier in a register'),
    country: described(Country, 'The member state that notifies the entity', 'BE'),
    address: Address.describe('Its addresses'),
    informationUri: described(WebAddress, 'A page about the entity', 'https://agency.example/'),
    services: z.array(Service).min(1).max(maxServices).describe(`Its services. At most ${maxServices}.`),
  }),
)

/** The members of a configuration that a list of trusted entities has in addition. */
export const LoteContentFields = {
  schemeName: described(Text, 'The name of the scheme', 'Providers of PID'),
  schemeInformationUri: described(WebAddress, 'A page about the scheme', 'https://agency.example/scheme'),
  policyUri: described(WebAddress, 'A page with the policy of the scheme', 'https://agency.example/policy'),
  schemeOperatorAddress: Address.describe('The addresses of the operator of the scheme'),
  entities: z.array(Entity).max(maxEntities).describe(`The trusted entities. At most ${maxEntities}.`),
}

/** Throws `bad_request` for a certificate that readers could not read. */
export function requireListable({ entities }: LoteContent): void {
  for (const [at, { services }] of entities.entries()) {
    for (const [place, { certificates }] of services.entries()) {
      for (const [index, pem] of certificates.entries()) {
        if (isListable(pem)) continue
        const param = `entities.${at}.services.${place}.certificates.${index}`
        throw wrongField(param, 'The certificate cannot be read')
      }
    }
  }
}

function isListable(pem: string): boolean {
  try {
    const certificate = certificateFromPem(pem)
    rawCertificate(certificate.raw)
    subjectKeyIdentifierOf(certificate)
    return true
  } catch (error) {
    if (error instanceof FormatError) return false
    throw error
  }
}

const ListedCertificate = z.object({
  certificateFingerprint: described(z.string(), 'SHA-256 of the certificate, in lower-case hex', exampleFingerprint),
  ski: described(z.string(), 'Its subject key identifier in hex', '6f48af982884beac01fca1192d99460544c8eb3b'),
  issuer: described(z.string(), 'The name of its issuer (RFC 4514)', 'CN=PID CA,C=BE'),
  subject: described(z.string(), 'The name of its subject (RFC 4514)', 'CN=PID CA,C=BE'),
  entity: described(z.string(), 'The name of its entity', 'Identity Agency'),
  services: described(
    z.array(LoteServiceSchema),
    'Its services in the later list. For a removed certificate, in the earlier list.',
    ['issuance'],
  ),
  notBefore: described(Timestamp, 'The start of its validity', '2026-01-01T00:00:00.000Z'),
  notAfter: described(Timestamp, 'The end of its validity', '2045-12-31T23:59:59.000Z'),
})
const OnAList = named('LoteCertificate', 'A certificate on a list of trusted entities', ListedCertificate)

export const LoteCertificatesView = z.object({
  data: z.array(OnAList).describe('The certificates in the order of the list'),
})

export const LoteChangesView = z.object({
  added: z.array(OnAList).describe('The certificates that only the later list has'),
  removed: z.array(OnAList).describe('The certificates that only the earlier list has'),
  changed: z
    .array(
      ListedCertificate.extend({
        formerServices: described(z.array(LoteServiceSchema), 'Its services in the earlier list', ['issuance']),
      }),
    )
    .describe('The certificates whose services changed'),
})
