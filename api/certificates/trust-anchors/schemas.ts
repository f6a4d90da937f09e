import { z } from 'zod'
import { described, exampleCertificate, idOf, named, Timestamp } from '../../http/fields.ts'

/** The view of an authority that a tenant trusts. `thing` is its name in examples. */
export const trustAnchorView = (thing: string) =>
  z.object({
    id: idOf(thing),
    certificatePem: described(z.string(), 'Its certificate in PEM', exampleCertificate),
    certificateData: TrustAnchorData,
  })

const TrustAnchorData = named(
  'TrustAnchorData',
  'The fields of its certificate',
  z.object({
    notAfter: described(Timestamp, 'The end of its validity', '2045-12-31T23:59:59.000Z'),
    notBefore: described(Timestamp, 'The start of its validity', '2026-01-01T00:00:00.000Z'),
    country: described(z.string(), 'The country of its subject, two letters (ISO 3166-1)', 'NZ').optional(),
    commonName: described(z.string(), 'The common name of its subject', 'Transport Agency IACA').optional(),
  }),
)
