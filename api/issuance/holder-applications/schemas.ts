import { z } from 'zod'
import { ClaimsObject, Name, PemCertificate, Timestamp } from '../../http/fields.ts'

const Thumbprint = z.string().regex(/^[0-9a-f]{64}$/, 'Must be a SHA-256 in lower-case hex')

const android = {
  type: z.literal('android'),
  name: Name,
  packageName: z
    .string()
    .max(255)
    .regex(/^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/, 'Must be the name of a package, like com.example.wallet'),
  packageSigningCertificateThumbprints: z
    .array(Thumbprint)
    .min(1)
    .max(20)
    .describe('SHA-256 of the certificates that the app is signed with, in lower-case hex'),
  keyAttestation: z
    .object({
      required: z
        .boolean()
        .default(true)
        .describe('Instances register keys alone that a trusted environment or a StrongBox of the device keeps'),
      rootCertificates: z
        .array(PemCertificate)
        .max(20)
        .default([])
        .describe("Under which devices attest keys; Google's where there is none"),
    })
    .default({ required: true, rootCertificates: [] }),
}

const ios = {
  type: z.literal('ios'),
  name: Name,
  bundleId: z
    .string()
    .max(155)
    .regex(/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/, 'Must be the identifier of a bundle, like com.example.wallet'),
  teamId: z.string().regex(/^[A-Z0-9]{10}$/, 'Must be 10 capital letters and digits'),
}

export const HolderApplication = z.discriminatedUnion('type', [z.object(android), z.object(ios)])

export const HolderApplicationView = z.discriminatedUnion('type', [
  z.object({ id: z.string(), ...android }),
  z.object({ id: z.string(), ...ios }),
])

export const ChallengeView = z.object({ challenge: z.string(), expiresAt: Timestamp })

/** So much of an answer that anybody may store, and nobody has checked. */
const mostDetailBytes = 2_000

const Details = ClaimsObject.refine(
  (details) => Buffer.byteLength(JSON.stringify(details)) <= mostDetailBytes,
  `Must not be longer than ${mostDetailBytes} bytes`,
)

export const NewHolderInstance = z.object({
  challenge: z.string().min(1).max(200),
  publicKeyJwk: z.looseObject({ kty: z.string() }).describe('The key of the instance, a public JWK'),
  keyAttestation: z
    .array(z.string().max(20_000))
    .max(10)
    .default([])
    .describe('The certificates by which the device attests the key and the challenge: base64 of DER, the leaf first'),
  deviceDetails: Details.default({}),
  sdkDetails: Details.default({}),
})

const registered = {
  id: z.string(),
  appAttestationType: z.enum(['android-key-attestation', 'none']),
  registeredAt: Timestamp,
  lastAttestedAt: Timestamp.optional(),
}

export const RegisteredInstance = z.object(registered)

export const HolderInstanceView = z.object({
  ...registered,
  publicKeyJwk: z.record(z.string(), z.string()),
  deviceDetails: ClaimsObject,
  sdkDetails: ClaimsObject,
})
