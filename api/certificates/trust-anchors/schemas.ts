import { z } from 'zod'
import { described, exampleCertificate, idOf, named, Timestamp } from '../../http/fields.ts'

/** An authority that a tenant trusts for something. */
export const trustAnchorView = (thing: string) =>
  z.object({
    id: idOf(thing),
    certificatePem: described(z.string(), 'Its certificate in PEM', exampleCertificate),
    certificateData: TrustAnchorData,
  })

const TrustAnchorData = named(
  'TrustAnchorData',
  'What its certificate says of itself',
  z.object({
    notAfter: described(Timestamp, 'Until when it is valid', '2045-12-31T23:59:59.000Z'),
    notBefore: described(Timestamp, 'From when it is valid', '2026-01-01T00:00:00.000Z'),
    country: described(z.string(), 'Of its subject, two letters (ISO 3166-1)', 'NZ').optional(),
    commonName: described(z.string(), 'What its subject is called', 'Transport Agency IACA').optional(),
  }),
)
