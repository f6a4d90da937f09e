import { z } from 'zod'
import { described, named, Timestamp } from '../../http/fields.ts'

const maxDatasetBytes = 50_000

const Dataset = z
  .record(z.string(), z.unknown(), 'Must be an object')
  .refine(
    (dataset) => Buffer.byteLength(JSON.stringify(dataset)) <= maxDatasetBytes,
    `Must have at most ${maxDatasetBytes} bytes`,
  )

export const NewRegistrationCertificate = z.object({
  jwt: described(
    z.string().min(1, 'Must not be empty').max(50_000),
    'The registration certificate of the registrar: a compact JWS of the type `rc-wrp+jwt` (ETSI TS 119 475, section 5.2)',
    'eyJ0eXAiOiJyYy13cnArand0IiwiYWxnIjoiRVMyNTYifQ...',
  ),
  registrarDataset: Dataset.optional().describe(
    'The data of the tenant in the register, which wallets get as `registrar_dataset`. They are published as they are',
  ),
})

export const RegistrationCertificate = named(
  'RegistrationCertificate',
  'What the tenant is registered for, as its issuer metadata say (ETSI TS 119 475)',
  z.object({
    jwt: NewRegistrationCertificate.shape.jwt,
    registrarDataset: z.record(z.string(), z.unknown()).optional().describe('The data in the register'),
    subject: described(z.string(), 'The registered identifier', 'LEIXG-529900T8BM49AURSDO55'),
    issuedAt: described(Timestamp, 'When the registrar issued it', '2026-01-01T00:00:00.000Z'),
    expiresAt: described(Timestamp, 'Its end. Absent if it does not name one', '2027-01-01T00:00:00.000Z').optional(),
    isPublished: described(z.boolean(), 'Whether the issuer metadata contain it. An expired one is left out', true),
  }),
)
