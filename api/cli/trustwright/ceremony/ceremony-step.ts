import { z } from 'zod'

export type Mode = 'rehearsal' | 'ceremony'

/** A file by its name and SHA-256 in hex. */
const FileName = z.string().regex(/^[A-Za-z0-9][\w.-]*$/)
const NamedDigest = z.strictObject({ file: FileName, sha256: z.string() })
export type NamedDigest = z.output<typeof NamedDigest>

const lineFields = { line: z.int(), previous: z.string(), at: z.string(), operator: z.string() }

/** The first step: the files and keys on which the ceremony is based. */
const Opened = z.strictObject({
  ...lineFields,
  step: z.literal('opened'),
  mode: z.enum(['rehearsal', 'ceremony']),
  name: z.string(),
  product: z.string(),
  ceremony: NamedDigest,
  /** The public key that verifies the transcript: SPKI in base64url. */
  transcriptKey: z.string(),
  /** Where the keys are, in words. */
  keys: z.string(),
  inputs: z.array(NamedDigest),
  approvals: z.array(NamedDigest.extend({ name: z.string(), keyId: z.string() })),
  /** The transcript of the rehearsal. Absent in a rehearsal. */
  rehearsal: NamedDigest.exactOptional(),
})

const ofItem = { ...lineFields, id: z.string() }
const key = { ...ofItem, publicKey: z.string(), handle: z.string() }

/** The decision of a certificate, before it is signed. After an interruption, the same certificate is signed. */
const CertificatePlan = z.strictObject({
  ...ofItem,
  step: z.literal('certificate planned'),
  kind: z.enum([
    ...(['iaca', 'ecosystem-ca', 'iaca-link', 'document-signer', 'status-list-signer'] as const),
    ...(['sd-jwt-signer', 'vical-signer', 'rical-signer'] as const),
  ]),
  subject: z.strictObject({
    country: z.string(),
    stateOrProvinceName: z.string().exactOptional(),
    organisationName: z.string().exactOptional(),
    commonName: z.string(),
  }),
  serialNumber: z.string(),
  notBefore: z.string(),
  notAfter: z.string(),
})

const CrlPlan = z.strictObject({
  ...ofItem,
  step: z.literal('crl planned'),
  number: z.int(),
  thisUpdate: z.string(),
  nextUpdate: z.string(),
})

/** A line of a transcript. It has the SHA-256 of the line before it, the first one that of the ceremony file. */
export const TranscriptLine = z.discriminatedUnion('step', [
  Opened,
  z.strictObject({ ...ofItem, step: z.literal('key planned'), label: z.string() }),
  z.strictObject({ ...key, step: z.literal('key created') }),
  z.strictObject({ ...key, step: z.literal('key found') }),
  CertificatePlan,
  CrlPlan,
  z.strictObject({ ...ofItem, step: z.literal('file written'), file: FileName, sha256: z.string() }),
  z.strictObject({ ...lineFields, step: z.literal('continued'), droppedBytes: z.int() }),
  z.strictObject({ ...lineFields, step: z.literal('signed'), signature: z.string() }),
])
export type TranscriptLine = z.output<typeof TranscriptLine>

type WithoutLine<Line> = Line extends unknown ? Omit<Line, keyof typeof lineFields> : never

/** A step of a ceremony without its place in the transcript. */
export type CeremonyStep = WithoutLine<TranscriptLine>
export type Opened = WithoutLine<z.output<typeof Opened>>
export type CertificatePlan = WithoutLine<z.output<typeof CertificatePlan>>
export type CrlPlan = WithoutLine<z.output<typeof CrlPlan>>
