import { Attributes, CertificationRequest, CertificationRequestInfo } from '@peculiar/asn1-csr'
import { AsnConvert } from '@peculiar/asn1-schema'
import { Attribute, Extensions, KeyUsageFlags, type Name } from '@peculiar/asn1-x509'
import type { BytesSigner } from '../bytes-signer.ts'
import { type AccessSubject, accessNameOf } from './access-subject.ts'
import { ecdsaWithSha256, signDer } from './build-certificate.ts'
import { type ExtensionProfile, extensionsOf, publicKeyInfoOf } from './extensions.ts'
import { type CertificateSubject, nameOf } from './name.ts'
import { type CertificateKind, certificateProfiles, type ExtensionName } from './profiles.ts'

export interface CsrContent {
  kind: CertificateKind
  subject: CertificateSubject
  key: BytesSigner
  subjectUrl: string
}

/** The attribute with the requested extensions (PKCS #9, section 5.4.2, RFC 2985). */
export const extensionRequest = '1.2.840.113549.1.9.14'

/** Extensions that the authority decides itself are not requested. */
const ofAuthority: readonly ExtensionName[] = [
  'authorityKeyIdentifier',
  'issuerAltName',
  'cRLDistributionPoints',
  'certificatePolicies',
]

/** Returns the PEM of a certificate request with the profile of its kind. */
export function buildCsr({ kind, subject, key, subjectUrl }: CsrContent): Promise<string> {
  return csrOf(key, nameOf(subject), certificateProfiles[kind], subjectUrl)
}

/** Returns the PEM of a request for an access certificate. The authority decides its profile (ETSI TS 119 411-8, section 6.6.1). */
export function buildAccessCsr(subject: AccessSubject, key: BytesSigner, contactUrl: string): Promise<string> {
  const profile = { keyUsage: KeyUsageFlags.digitalSignature, extensions: ['keyUsage', 'subjectAltName'] } as const
  return csrOf(key, accessNameOf(subject), profile, contactUrl)
}

/** Builds a certificate request (PKCS #10, RFC 2986). */
async function csrOf(key: BytesSigner, subject: Name, profile: ExtensionProfile, subjectUrl: string): Promise<string> {
  const { publicKey } = key
  const names = profile.extensions.filter((name) => !ofAuthority.includes(name))
  const values = { publicKey, issuerKey: publicKey, subjectUrl, issuerUrl: '', crlUrl: '' }
  const extensions = new Extensions(extensionsOf({ ...profile, extensions: names }, values))
  const certificationRequestInfo = new CertificationRequestInfo({
    version: 0,
    subject,
    subjectPKInfo: publicKeyInfoOf(publicKey),
    attributes: new Attributes([new Attribute({ type: extensionRequest, values: [AsnConvert.serialize(extensions)] })]),
  })
  const signature = await signDer(AsnConvert.serialize(certificationRequestInfo), key)
  const signatureAlgorithm = ecdsaWithSha256()
  const request = new CertificationRequest({ certificationRequestInfo, signatureAlgorithm, signature })
  return pem('CERTIFICATE REQUEST', Buffer.from(AsnConvert.serialize(request)))
}

/** Encodes PEM (RFC 7468, section 2). */
function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}
