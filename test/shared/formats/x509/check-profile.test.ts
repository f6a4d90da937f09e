import { generateKeyPairSync, hash, sign, X509Certificate } from 'node:crypto'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import {
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  Certificate,
  CRLDistributionPoints,
  DistributionPoint,
  DistributionPointName,
  GeneralName,
  type Name,
  Reason,
  RelativeDistinguishedName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  type TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509'
import { expect, test } from 'vitest'
import { buildCertificate } from '../../../../shared/formats/x509/build-certificate.ts'
import { profileFaults } from '../../../../shared/formats/x509/check-profile.ts'
import { extensionIds } from '../../../../shared/formats/x509/extensions.ts'
import { nameOf } from '../../../../shared/formats/x509/name.ts'
import {
  type CertificateKind,
  certificateProfiles,
  certifierOf,
  type ExtensionName,
} from '../../../../shared/formats/x509/profiles.ts'
import { readCertificate } from '../../../../shared/formats/x509/read-certificate.ts'
import { testSigner } from '../../../harness/test-signer.ts'

const [rootKeys, signerKeys] = [newKeys(), newKeys()]
const at = new Date('2026-06-01T00:00:00Z')
const rootSubject = { country: 'NZ', commonName: 'Aotearoa IACA' }
const ecdsaWithSha384 = '1.2.840.10045.4.3.3'
const secondAt = (text: string) => new Date(`${text}T00:00:00Z`)

type Edit = (tbs: TBSCertificate, certificate: Certificate) => unknown
type Row = [what: string, edit: Edit, fault: string]

function newKeys() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

/** A certificate as its profile has it but for one thing, signed by the IACA after that. */
async function derOf(kind: CertificateKind, edit: Edit = () => {}): Promise<Buffer> {
  const isRoot = certifierOf(kind) === kind
  const certificate = AsnConvert.parse(
    await buildCertificate({
      kind,
      subject: isRoot ? rootSubject : { country: 'NZ', organisationName: 'Aotearoa', commonName: 'A signer' },
      publicKey: (isRoot ? rootKeys : signerKeys).publicKey,
      issuer: { name: nameOf(rootSubject), key: testSigner(rootKeys) },
      serialNumber: '40'.repeat(16),
      notBefore: secondAt('2026-01-01'),
      notAfter: secondAt('2027-01-01'),
      subjectUrl: 'https://signer.example.govt.nz',
      issuerUrl: 'https://iaca.example.govt.nz',
      crlUrl: 'https://iaca.example.govt.nz/crl',
    }),
    Certificate,
  )
  edit(certificate.tbsCertificate, certificate)
  return signed(certificate)
}

function signed(certificate: Certificate): Buffer {
  const tbs = Buffer.from(AsnConvert.serialize(certificate.tbsCertificate))
  certificate.signatureValue = bytes(sign('sha256', tbs, rootKeys.privateKey))
  return Buffer.from(AsnConvert.serialize(certificate))
}

function bytes(of: Uint8Array | number[]): ArrayBuffer {
  return new Uint8Array(of).buffer
}

const read = (der: Buffer) => readCertificate(new X509Certificate(der))
const root = read(await derOf('iaca'))

function faultsOf(kind: CertificateKind, der: Buffer): string[] {
  return profileFaults({ kind, certificate: read(der), at, ...(certifierOf(kind) !== kind && { issuer: root }) })
}

function setExtension(tbs: TBSCertificate, name: ExtensionName, value: unknown): void {
  const extension = tbs.extensions!.find(({ extnID }) => extnID === extensionIds[name])!
  extension.extnValue = new OctetString(AsnConvert.serialize(value))
}

const held =
  (name: ExtensionName, change: (hex: string) => string): Edit =>
  (tbs) => {
    const extension = tbs.extensions!.find(({ extnID }) => extnID === extensionIds[name])!
    const hex = Buffer.from(extension.extnValue.buffer).toString('hex')
    extension.extnValue = new OctetString(bytes(Buffer.from(change(hex), 'hex')))
  }

const serial =
  (hex: string): Edit =>
  (tbs) => {
    tbs.serialNumber = bytes(Buffer.from(hex, 'hex'))
  }

const life =
  (notBefore: string, notAfter: string): Edit =>
  (tbs) => {
    tbs.validity = new Validity({ notBefore: secondAt(notBefore), notAfter: secondAt(notAfter) })
  }

/** Both names of an IACA, so that it stays self-issued. */
const named =
  (change: (name: Name) => unknown): Edit =>
  ({ subject, issuer }) => {
    change(subject)
    change(issuer)
  }

const attribute = (type: string, value: ConstructorParameters<typeof AttributeValue>[0]) =>
  new AttributeTypeAndValue({ type, value: new AttributeValue(value) })
const country = (value: ConstructorParameters<typeof AttributeValue>[0]) => attribute('2.5.4.6', value)
const uri = new GeneralName({ uniformResourceIdentifier: 'https://iaca.example.govt.nz/crl' })
const fullName = (names: GeneralName[]) => new DistributionPointName({ fullName: names })

const points =
  (...all: ConstructorParameters<typeof DistributionPoint>[0][]): Edit =>
  (tbs) =>
    setExtension(
      tbs,
      'cRLDistributionPoints',
      new CRLDistributionPoints(all.map((each) => new DistributionPoint(each))),
    )

/** The same point with its X coordinate alone, and an identifier that fits. */
const compress: Edit = (tbs) => {
  const point = Buffer.from(tbs.subjectPublicKeyInfo.subjectPublicKey)
  const compressed = Buffer.concat([Buffer.from([point.at(-1)! % 2 === 0 ? 2 : 3]), point.subarray(1, 33)])
  tbs.subjectPublicKeyInfo.subjectPublicKey = bytes(compressed)
  setExtension(tbs, 'subjectKeyIdentifier', new SubjectKeyIdentifier(bytes(hash('sha1', compressed, 'buffer'))))
}

const versionFault = 'It is not of version 3'
const serialFault = 'Its serial number is not a positive number of 8 to 20 octets'
const keyFault = 'Its key is not an uncompressed point of P-256, P-384, P-521 or a Brainpool curve'
const identifierFault = 'Its subjectKeyIdentifier is not the SHA-1 of its key'
const pointsFault = 'Its cRLDistributionPoints are not full names with a URI alone'
const countryFault = 'Its subject has no country of two upper-case letters in a PrintableString'
const textFault = 'Its subject has an attribute that is neither PrintableString nor UTF8String'

test.each(Object.keys(certificateProfiles) as CertificateKind[])(
  'a certificate of %s of this service has no fault',
  async (kind) => {
    expect(faultsOf(kind, await derOf(kind))).toEqual([])
  },
)

const ofAll: Row[] = [
  ['of version 1', (tbs) => Object.assign(tbs, { version: Version.v1 }), versionFault],
  ['of version 2', (tbs) => Object.assign(tbs, { version: Version.v2 }), versionFault],
  ['with a negative serial number', serial('80'.repeat(16)), serialFault],
  ['with a serial number of 7 octets', serial('40'.repeat(7)), serialFault],
  ['with a serial number of 21 octets', serial(`00${'80'.repeat(20)}`), serialFault],
  ['with the serial number 0', serial('00'), serialFault],
  ['with a compressed key', compress, keyFault],
  [
    'with the identifier of another key',
    (tbs) => setExtension(tbs, 'subjectKeyIdentifier', new SubjectKeyIdentifier(bytes(Buffer.alloc(20, 7)))),
    identifierFault,
  ],
  ['with a CRL of some reasons', points({ distributionPoint: fullName([uri]), reasons: new Reason(1) }), pointsFault],
  [
    'with a CRL of another issuer',
    points({
      distributionPoint: fullName([uri]),
      cRLIssuer: [new GeneralName({ directoryName: nameOf(rootSubject) })],
    }),
    pointsFault,
  ],
  [
    'with a CRL at a DNS name',
    points({ distributionPoint: fullName([new GeneralName({ dNSName: 'a.nz' })]) }),
    pointsFault,
  ],
  [
    'with a CRL at a URI and at a DNS name',
    points({ distributionPoint: fullName([uri, new GeneralName({ dNSName: 'a.nz' })]) }),
    pointsFault,
  ],
  [
    'with a CRL at a good place and another one at a bad one',
    points(
      { distributionPoint: fullName([uri]) },
      { distributionPoint: fullName([new GeneralName({ dNSName: 'a.nz' })]) },
    ),
    pointsFault,
  ],
  ['with a CRL at no place', points({ reasons: undefined as never }), pointsFault],
  ['with a list of CRLs that is empty', points(), pointsFault],
  [
    'with a CRL at a name below its issuer',
    points({
      distributionPoint: new DistributionPointName({
        nameRelativeToCRLIssuer: new RelativeDistinguishedName([attribute('2.5.4.3', { utf8String: 'CRL' })]),
      }),
    }),
    pointsFault,
  ],
  [
    'with an extension that goes on behind what it holds',
    held('subjectKeyIdentifier', (hex) => `${hex}0500`),
    'Its subjectKeyIdentifier is not in DER',
  ],
  ['that ends before it begins', life('2026-09-01', '2026-08-01'), 'Its notAfter is not after its notBefore'],
  ['that ends as it begins', life('2026-09-01', '2026-09-01'), 'Its notAfter is not after its notBefore'],
  ['that ends now', life('2026-05-01', '2026-06-01'), 'It has expired'],
]

const ofRoots: Row[] = [
  [
    'with another TRUE than in DER',
    held('basicConstraints', () => '3006010101020100'),
    'Its basicConstraints is not in DER',
  ],
  ['without a country', named((name) => name.splice(0, 1)), countryFault],
  [
    'with a country of three letters',
    named((name) => name[0]!.splice(0, 1, country({ printableString: 'NZL' }))),
    countryFault,
  ],
  [
    'with a country in a UTF8String',
    named((name) => name[0]!.splice(0, 1, country({ utf8String: 'NZ' }))),
    countryFault,
  ],
  [
    'with two countries',
    named((name) => name.push(new RelativeDistinguishedName([country({ printableString: 'NZ' })]))),
    countryFault,
  ],
  [
    'with two countries in one part of its name',
    named((name) => name[0]!.push(country({ printableString: 'ZA' }))),
    countryFault,
  ],
  ['with a BMPString', named((name) => name[1]!.splice(0, 1, attribute('2.5.4.3', { bmpString: 'IACA' }))), textFault],
  [
    'with a TeletexString beside',
    named((name) => name[1]!.push(attribute('2.5.4.10', { teletexString: 'Aotearoa' }))),
    textFault,
  ],
  [
    'with an attribute without text',
    named((name) => (name[1]![0] = attribute('2.5.4.3', { utf8String: '' }))),
    textFault,
  ],
  [
    'that says another issuer',
    (tbs) => Object.assign(tbs, { issuer: nameOf({ ...rootSubject, commonName: 'Another' }) }),
    'It is not self-signed',
  ],
]

const signersOf = (authority: string): Row[] => [
  [
    'that writes the name of its issuer in another type of text',
    ({ issuer }) => issuer[1]!.splice(0, 1, attribute('2.5.4.3', { utf8String: rootSubject.commonName })),
    `Its issuer is not the name of ${authority}`,
  ],
  [
    'that names the certificate of its issuer but not the key',
    (tbs) =>
      setExtension(
        tbs,
        'authorityKeyIdentifier',
        new AuthorityKeyIdentifier({
          authorityCertIssuer: [new GeneralName({ directoryName: nameOf(rootSubject) })],
          authorityCertSerialNumber: bytes(root.serialNumber),
        }),
      ),
    `Its authorityKeyIdentifier is not the subjectKeyIdentifier of ${authority}`,
  ],
]

const organisation = () => new RelativeDistinguishedName([attribute('2.5.4.10', { utf8String: 'Aotearoa' })])
const onlyOnce = (member: string) => `Its subject does not have exactly one ${member}`
const ofRicalSigners: Row[] = [
  ['without an organisation', ({ subject }) => subject.splice(1, 1), onlyOnce('organisationName')],
  ['with two organisations', ({ subject }) => subject.push(organisation()), onlyOnce('organisationName')],
  [
    'with two common names',
    ({ subject }) => subject.push(new RelativeDistinguishedName([attribute('2.5.4.3', { utf8String: 'x' })])),
    onlyOnce('commonName'),
  ],
  ['without policies', (tbs) => tbs.extensions!.splice(4, 1), 'It has no certificatePolicies'],
  [
    'with policies in another way than in DER',
    held('certificatePolicies', (hex) => `${hex}0500`),
    'Its certificatePolicies is not in DER',
  ],
]

const of = (kind: CertificateKind, rows: Row[]) => rows.map((row) => [kind, ...row] as const)

test.each([
  ...of('iaca', [...ofAll, ...ofRoots]),
  ...of('document-signer', [...ofAll, ...signersOf('the IACA')]),
  ...of('status-list-signer', [...ofAll, ...signersOf('the IACA')]),
  ...of('sd-jwt-signer', [...ofAll, ...signersOf('the IACA')]),
  ...of('ecosystem-ca', [...ofAll, ...ofRoots]),
  ...of('vical-signer', [...ofAll, ...signersOf('the ecosystem CA')]),
  ...of('rical-signer', [...ofAll, ...ofRicalSigners, ...signersOf('the ecosystem CA')]),
])('a certificate of %s is refused %s', async (kind, _what, edit, fault) => {
  expect(faultsOf(kind, await derOf(kind, edit))).toEqual([fault])
})

test('a serial number has 8 to 20 octets', async () => {
  for (const octets of [8, 20]) expect(faultsOf('iaca', await derOf('iaca', serial('40'.repeat(octets))))).toEqual([])
})

test.each<[string, Edit]>([
  ['in the part that is signed', ({ signature }) => Object.assign(signature, { algorithm: ecdsaWithSha384 })],
  [
    'beside the signature',
    (_tbs, { signatureAlgorithm }) => Object.assign(signatureAlgorithm, { algorithm: ecdsaWithSha384 }),
  ],
])('a certificate with another algorithm %s is refused', async (_where, edit) => {
  expect(faultsOf('iaca', await derOf('iaca', edit))).toEqual([
    'It is not signed by ECDSA with SHA-256, SHA-384 or SHA-512',
    'It is not self-signed',
  ])
})

/** Of one length, so that all lengths around it stay right. */
function replaced(der: Buffer, from: string, to: string): Buffer {
  const hex = der.toString('hex')
  expect(hex.split(from)).toHaveLength(2)
  return Buffer.from(hex.replace(from, to), 'hex')
}

test('a certificate is refused if TRUE is not encoded in DER', async () => {
  const der = replaced(await derOf('iaca'), '0603551d130101ff', '0603551d13010101')
  expect(() => read(der)).toThrow('a certificate is not in DER')
})

test('a certificate with explicit curve parameters is refused', async () => {
  const explicit = generateKeyPairSync('ec', { namedCurve: 'P-256', paramEncoding: 'explicit' }).publicKey
  const info = AsnConvert.parse(explicit.export({ format: 'der', type: 'spki' }), SubjectPublicKeyInfo)
  const edit: Edit = (tbs) => {
    tbs.subjectPublicKeyInfo = info
    const identifier = hash('sha1', Buffer.from(info.subjectPublicKey), 'buffer')
    setExtension(tbs, 'subjectKeyIdentifier', new SubjectKeyIdentifier(bytes(identifier)))
  }
  expect(faultsOf('document-signer', await derOf('document-signer', edit))).toEqual([keyFault])
})
