import { z } from 'zod'
import { ClaimsObject, described, idOf, Name, named, PemCertificate, Timestamp, unexampled } from '../../http/fields.ts'

const Thumbprint = z.string().regex(/^[0-9a-f]{64}$/, 'Must be a SHA-256 in lower-case hex')

const name = described(Name, 'What people call the app', 'Campus wallet')

const android = {
  type: z.literal('android').describe('An app for Android'),
  name,
  packageName: described(
    z
      .string()
      .max(255)
      .regex(/^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/, 'Must be the name of a package, like com.example.wallet'),
    'The name of its package',
    'com.example.wallet',
  ),
  packageSigningCertificateThumbprints: described(
    z.array(Thumbprint).min(1).max(20),
    'SHA-256 of the certificates that the app is signed with, in lower-case hex; from 1 to 20',
    ['3f9ab0c1d2e3f405162738495a6b7c8d9eafb0c1d2e3f405162738495a6b7c8d'],
  ),
  keyAttestation: named(
    'AndroidKeyAttestation',
    'Whether instances prove that the device keeps their keys',
    z.object({
      required: described(
        z.boolean().default(true),
        'Instances register keys alone that a trusted environment or a StrongBox of the device keeps',
        false,
      ),
      rootCertificates: z
        .array(PemCertificate)
        .max(20)
        .default([])
        .meta({ description: "Under which devices attest keys; Google's where there is none", examples: [[]] }),
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
      .regex(/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/, 'Must be the identifier of a bundle, like com.example.wallet'),
    'The identifier of its bundle',
    'com.example.wallet',
  ),
  teamId: described(
    z.string().regex(/^[A-Z0-9]{10}$/, 'Must be 10 capital letters and digits'),
    'The team that signs it, as Apple names it',
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
  challenge: described(z.string(), 'For one registration', exampleChallenge),
  expiresAt: Timestamp.describe('Until when it can be used, five minutes after it was made'),
})

/** So much of an answer that anybody may store, and nobody has checked. */
const mostDetailBytes = 2_000

const Details = ClaimsObject.refine(
  (details) => Buffer.byteLength(JSON.stringify(details)) <= mostDetailBytes,
  `Must not be longer than ${mostDetailBytes} bytes`,
)
const ofDevice = `What the app says of the device, at most ${mostDetailBytes} bytes; nobody has checked it`
const ofSdk = `What the app says of its own software, at most ${mostDetailBytes} bytes; nobody has checked it`
const exampleDevice = { model: 'Pixel 9' }
const exampleSdk = { version: '4.1.0' }

const exampleJwk = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
}

export const NewHolderInstance = z.object({
  challenge: described(z.string().min(1).max(200), 'That was made for this registration', exampleChallenge),
  publicKeyJwk: described(
    z.looseObject({ kty: z.string().describe('The kind of the key (RFC 7517, section 4.1)') }),
    'The key of the instance, a public JWK',
    exampleJwk,
  ),
  keyAttestation: z
    .array(z.string().max(20_000))
    .max(10)
    .default([])
    .describe('The certificates by which the device attests the key and the challenge: base64 of DER, the leaf first'),
  deviceDetails: described(Details.default({}), ofDevice, exampleDevice),
  sdkDetails: described(Details.default({}), ofSdk, exampleSdk),
})

const registered = {
  id: idOf('instance'),
  appAttestationType: named(
    'AppAttestationType',
    'How the device attested the key',
    z.enum(['none', 'android-key-attestation']),
  ).describe('How its key was attested'),
  registeredAt: Timestamp.describe('When it was registered'),
  lastAttestedAt: unexampled(Timestamp).optional().describe('When its key was last attested; absent: never'),
}

export const RegisteredInstance = named(
  'RegisteredInstance',
  'An installation of an app that was registered',
  z.object(registered),
)

export const HolderInstanceView = z.object({
  ...registered,
  publicKeyJwk: described(z.record(z.string(), z.string()), 'The key of the instance', exampleJwk),
  deviceDetails: described(ClaimsObject, ofDevice, exampleDevice),
  sdkDetails: described(ClaimsObject, ofSdk, exampleSdk),
})
