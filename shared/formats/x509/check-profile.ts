import { hash, type KeyObject } from 'node:crypto'
import { AsnConvert } from '@peculiar/asn1-schema'
import type { Name } from '@peculiar/asn1-x509'
import { extensionIds, isCritical } from './extensions.ts'
import { attributeIn, countIn } from './name.ts'
import {
  type CertificateProfile,
  certificateProfiles,
  certifierOf,
  type IssuedKind,
  plusPeriod,
  profileOf,
} from './profiles.ts'
import type { ReadCertificate } from './read-certificate.ts'

export interface ProfileQuestion {
  kind: IssuedKind
  certificate: ReadCertificate
  /** The expected issuer. Default: the certificate itself. */
  issuer?: ReadCertificate
  /** The expected key. */
  publicKey?: KeyObject
  /** The name of the expected issuer in messages. Default: the kind of authority that certifies the kind. */
  authority?: string
  at: Date
}

interface CheckInput extends ProfileQuestion {
  profile: CertificateProfile
  authority: string
}

/** Returns a message for each violation of the profile. Returns an empty array for a valid certificate. */
export function profileFaults(question: ProfileQuestion): string[] {
  const profile = profileOf(question.kind)
  const authority = `the ${certificateProfiles[certifierOf(question.kind)].name}`
  const input = { authority, ...question, profile }
  return [...everywhere, ...(question.issuer ? ofSigners : ofRoots)].flatMap((check) => check(input) || [])
}

type Check = (input: CheckInput) => string | string[] | undefined | false

const everywhere: readonly Check[] = [
  ({ certificate }) => !certificate.isVersion3 && 'It is not of version 3',
  ({ certificate: { serialNumber } }) =>
    (!isPositive(serialNumber) || serialNumber.length < 8 || serialNumber.length > 20) &&
    'Its serial number is not a positive number of 8 to 20 octets',
  ({ certificate: { innerAlgorithm, signatureAlgorithm } }) =>
    (innerAlgorithm !== signatureAlgorithm || !ecdsaAlgorithms.has(signatureAlgorithm)) &&
    'It is not signed by ECDSA with SHA-256, SHA-384 or SHA-512',
  ({ certificate: { publicKey, isCurveNamed, keyBits } }) =>
    (!isCurveNamed || !curves.has(publicKey.asymmetricKeyDetails?.namedCurve ?? '') || keyBits[0] !== uncompressed) &&
    'Its key is not an uncompressed point of P-256, P-384, P-521 or a Brainpool curve',
  ({ certificate, publicKey }) =>
    publicKey && !certificate.publicKey.equals(publicKey) && 'Its key is not the one of the certificate request',
  ({ certificate: { subject } }) => nameFaults(subject),
  ({ certificate: { subject }, profile: { namedOnce = [] } }) =>
    namedOnce
      .filter((member) => countIn(subject, member) !== 1)
      .map((member) => `Its subject does not have exactly one ${member}`),
  ({ certificate, profile }) =>
    profile.required
      .filter((name) => !certificate.extensions.includes(extensionIds[name]))
      .map((name) => `It has no ${name}`),
  ({ certificate }) => certificate.extensionsNotInDer.map((name) => `Its ${name} is not in DER`),
  ({ certificate: { extensions } }) =>
    extensions.some((id) => forbidden.has(id)) && 'It has name or policy constraints',
  ({ certificate, profile }) => criticalFaults(certificate, profile),
  ({ certificate: { keyUsage }, profile }) =>
    keyUsage !== undefined &&
    keyUsage !== profile.keyUsage &&
    `Its keyUsage is not exactly that of ${profile.article} ${profile.name}`,
  ({ certificate: { isAuthority, pathLength }, profile }) => {
    if (profile.pathLength === undefined) return isAuthority && 'Its basicConstraints say that it is an authority'
    if (profile.takesAnyPathLength) return !isAuthority && 'Its basicConstraints do not say that it is an authority'
    return (!isAuthority || pathLength !== profile.pathLength) && 'Its basicConstraints are not CA with pathLen 0'
  },
  ({ certificate: { purposes }, profile }) =>
    purposes !== undefined &&
    profile.purpose !== 'any' &&
    purposes.join() !== (profile.purpose ?? '') &&
    (profile.purpose ? `Its extKeyUsage is not ${profile.purpose} alone` : 'It has an extKeyUsage'),
  ({ certificate: { subjectKeyIdentifier, keyBits } }) =>
    subjectKeyIdentifier &&
    !subjectKeyIdentifier.equals(hash('sha1', keyBits, 'buffer')) &&
    'Its subjectKeyIdentifier is not the SHA-1 of its key',
  ({ certificate: { issuerAltName } }) =>
    issuerAltName &&
    !issuerAltName.some((each) => each.rfc822Name || each.uniformResourceIdentifier) &&
    'Its issuerAltName has neither an e-mail address nor a URI',
  ({ certificate: { distributionPoints } }) =>
    distributionPoints &&
    (distributionPoints.length === 0 ||
      distributionPoints.some(
        ({ distributionPoint, reasons, cRLIssuer }) =>
          reasons !== undefined ||
          cRLIssuer !== undefined ||
          !distributionPoint?.fullName?.every((each) => each.uniformResourceIdentifier),
      )) &&
    'Its cRLDistributionPoints are not full names with a URI alone',
  ({ certificate: { certificate }, profile, at }) => timeFaults(certificate, profile, at),
]

const ofRoots: readonly Check[] = [
  ({ certificate: { certificate, publicKey, isSelfIssued } }) =>
    !(isSelfIssued && certificate.verify(publicKey)) && 'It is not self-signed',
]

const ofSigners: readonly Check[] = [
  ({ certificate, issuer, authority }) =>
    issuer && !sameName(certificate.issuer, issuer.subject) && `Its issuer is not the name of ${authority}`,
  ({ certificate: { authorityKeyIdentifier, extensions }, issuer, authority }) =>
    extensions.includes(extensionIds.authorityKeyIdentifier) &&
    issuer?.subjectKeyIdentifier &&
    !authorityKeyIdentifier?.equals(issuer.subjectKeyIdentifier) &&
    `Its authorityKeyIdentifier is not the subjectKeyIdentifier of ${authority}`,
  ({ certificate: { certificate }, issuer, authority }) =>
    issuer && !certificate.verify(issuer.publicKey) && `It is not signed by the key of ${authority}`,
  ({ certificate, issuer, profile, authority }) => {
    if (!profile.hasPlaceOfAuthority) return false
    const country = attributeIn(certificate.subject, 'country')?.toUpperCase()
    return issuer && country !== attributeIn(issuer.subject, 'country') && `Its country is not that of ${authority}`
  },
  ({ certificate, issuer, profile, authority }) => {
    const place = profile.hasPlaceOfAuthority && issuer && attributeIn(issuer.subject, 'stateOrProvinceName')
    return (
      place &&
      attributeIn(certificate.subject, 'stateOrProvinceName') !== place &&
      `Its state or province is not that of ${authority}`
    )
  },
]

const uncompressed = 0x04
const ecdsaAlgorithms = new Set(['1.2.840.10045.4.3.2', '1.2.840.10045.4.3.3', '1.2.840.10045.4.3.4'])
const brainpool = ['brainpoolP256r1', 'brainpoolP320r1', 'brainpoolP384r1', 'brainpoolP512r1']
const curves = new Set(['prime256v1', 'secp384r1', 'secp521r1', ...brainpool])
/** policyMappings, nameConstraints, policyConstraints, inhibitAnyPolicy, freshestCRL. */
const forbidden = new Set(['2.5.29.33', '2.5.29.30', '2.5.29.36', '2.5.29.54', '2.5.29.46'])

function isPositive(integer: Buffer): boolean {
  return (integer[0] ?? 0x80) < 0x80 && integer.some((byte) => byte !== 0)
}

function nameFaults(name: Name): string[] {
  const all = name.flatMap((each) => [...each])
  const country = all.filter(({ type }) => type === '2.5.4.6')
  const isText = ({ value }: (typeof all)[number]) => Boolean(value.printableString ?? value.utf8String)
  return [
    ...(country.length === 1 && /^[A-Z]{2}$/.test(country[0]?.value.printableString ?? '')
      ? []
      : ['Its subject has no country of two upper-case letters in a PrintableString']),
    ...(all.some(({ type }) => type === '2.5.4.3') ? [] : ['Its subject has no common name']),
    ...(all.every(isText) ? [] : ['Its subject has an attribute that is neither PrintableString nor UTF8String']),
    ...(all.some(({ value }) => value.toString().includes('\0')) ? ['Its subject contains U+0000'] : []),
  ]
}

function criticalFaults({ extensions, criticalExtensions }: ReadCertificate, profile: CertificateProfile): string[] {
  const names = Object.entries(extensionIds)
  return [
    ...names.flatMap(([name, id]) => {
      // If the profile has no purpose, another check refuses the extension.
      if (!extensions.includes(id) || (name === 'extKeyUsage' && profile.purpose === undefined)) return []
      const is = criticalExtensions.includes(id)
      // Boundary: the keys of the table are the names.
      const mustBeCritical = isCritical(name as keyof typeof extensionIds, profile)
      return is === mustBeCritical ? [] : [`Its ${name} is ${is ? '' : 'not '}critical`]
    }),
    ...(criticalExtensions.some((id) => !names.some(([, namedId]) => namedId === id))
      ? ['It has a critical extension that is not of its profile']
      : []),
  ]
}

function timeFaults(
  { validFromDate, validToDate }: ReadCertificate['certificate'],
  { maxValidity }: CertificateProfile,
  at: Date,
): string[] {
  const text = 'years' in maxValidity ? `${maxValidity.years} years` : `${maxValidity.days} days`
  return [
    ...(validToDate <= validFromDate ? ['Its notAfter is not after its notBefore'] : []),
    ...(validToDate <= at ? ['It has expired'] : []),
    ...(validToDate > plusPeriod(validFromDate, maxValidity) ? [`It is valid for longer than ${text}`] : []),
  ]
}

function sameName(one: Name, other: Name): boolean {
  return Buffer.from(AsnConvert.serialize(one)).equals(Buffer.from(AsnConvert.serialize(other)))
}
