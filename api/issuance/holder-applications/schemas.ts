import { z } from 'zod'
import {
  ClaimsObject,
  described,
  idOf,
  Name,
  named,
  PemCertificate,
  Timestamp,
  withoutExample,
} from '../../http/fields.ts'

const Thumbprint = z.string().regex(/^[0-9a-f]{64}$/, 'Must be a SHA-256 hash in lower-case hex')

const name = described(Name, 'The name of the app shown to operators', 'Campus wallet')

const android = {
  type: z.literal('android').describe('An app for Android'),
  name,
  packageName: described(
    z
      .string()
      .max(255)
      .regex(/^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/, 'Must be the name of a package, such as com.example.wallet'),
    'The package name of the app',
    'com.example.wallet',
  ),
  packageSigningCertificateThumbprints: described(
    z.array(Thumbprint).min(1).max(20),
    'The SHA-256 hashes of the signing certificates of the app, in lower-case hex. From 1 to 20',
    ['3f9ab0c1d2e3f405162738495a6b7c8d9eafb0c1d2e3f405162738495a6b7c8d'],
  ),
  keyAttestation: named(
    'AndroidKeyAttestation',
    'Whether instances prove that the device protects their keys',
    z.object({
      required: described(
        z.boolean().default(true),
        'Instances may only register keys in a trusted environment or a StrongBox of the device',
        false,
      ),
      rootCertificates: z
        .array(PemCertificate)
        .max(20)
        .default([])
        .meta({ description: "The root certificates of key attestations. Default: Google's roots", examples: [[]] }),
    }),
  ).default({ required: true, rootCertificates: [] }),
}

const ios = {
  type: z.literal('ios').describe('An app for iOS'),
  name,
  bundleId: described(
    z
      .string()
      .max(155)
      .regex(/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/, 'Must be a bundle identifier, such as com.example.wallet'),
    'The bundle identifier of the app',
    'com.example.wallet',
  ),
  teamId: described(
    z.string().regex(/^[A-Z0-9]{10}$/, 'Must be 10 capital letters and digits'),
    'The Apple team identifier of the app',
    'A1B2C3D4E5',
  ),
}

const id = idOf('holder application')

export const HolderApplication = z.discriminatedUnion('type', [
  named('NewAndroidApplication', 'An app for Android', z.object(android)),
  named('NewIosApplication', 'An app for iOS', z.object(ios)),
])

export const HolderApplicationView = z.discriminatedUnion('type', [
  named('AndroidApplication', 'An app for Android', z.object({ id, ...android })),
  named('IosApplication', 'An app for iOS', z.object({ id, ...ios })),
])

const exampleChallenge = 'pT5mYw2sKq8uLx0vNz4bRc7dEf1gHj6aXi9oQeUkVlM'

export const ChallengeView = z.object({
  challenge: described(z.string(), 'The challenge for one registration', exampleChallenge),
  expiresAt: Timestamp.describe('The expiry, five minutes after its creation'),
})

/** The maximum size of details. Anyone can send them, and they are not verified. */
const maxDetailBytes = 2_000

const Details = ClaimsObject.refine(
  (details) => Buffer.byteLength(JSON.stringify(details)) <= maxDetailBytes,
  `Must be at most ${maxDetailBytes} bytes`,
)
const ofDevice = `Details of the device, as the app reports them. At most ${maxDetailBytes} bytes, not verified`
const ofSdk = `Details of the app's own software, as the app reports them. At most ${maxDetailBytes} bytes, not verified`
const exampleDevice = { model: 'Pixel 9' }
const exampleSdk = { version: '4.1.0' }

const exampleJwk = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
}

export const NewHolderInstance = z.object({
  challenge: described(
    z.string().min(1).max(200),
    'The challenge that was created for this registration',
    exampleChallenge,
  ),
  publicKeyJwk: described(
    z.looseObject({ kty: z.string().describe('The key type (RFC 7517, section 4.1)') }),
    'The key of the instance, a public JWK',
    exampleJwk,
  ),
  keyAttestation: z
    .array(z.string().max(20_000))
    .max(10)
    .default([])
    .describe('The certificate chain that attests the key and the challenge: base64 of DER, the leaf first'),
  deviceDetails: described(Details.default({}), ofDevice, exampleDevice),
  sdkDetails: described(Details.default({}), ofSdk, exampleSdk),
})

const registered = {
  id: idOf('instance'),
  appAttestationType: named(
    'AppAttestationType',
    'The attestation method of the device',
    z.enum(['none', 'android-key-attestation']),
  ).describe('The attestation method of the key'),
  registeredAt: Timestamp.describe('The time of the registration'),
  lastAttestedAt: withoutExample(Timestamp)
    .optional()
    .describe('The time of the last attestation of its key. Absent: never'),
}

export const RegisteredInstance = named('RegisteredInstance', 'A registered instance of an app', z.object(registered))

export const HolderInstanceView = z.object({
  ...registered,
  publicKeyJwk: described(z.record(z.string(), z.string()), 'The key of the instance', exampleJwk),
  deviceDetails: described(ClaimsObject, ofDevice, exampleDevice),
  sdkDetails: described(ClaimsObject, ofSdk, exampleSdk),
})
