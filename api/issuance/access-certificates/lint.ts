import { AsnConvert } from '@peculiar/asn1-schema'
import {
  CertificatePolicies,
  id_ce_certificatePolicies,
  id_ce_extKeyUsage,
  id_ce_subjectAltName,
  SubjectAlternativeName,
} from '@peculiar/asn1-x509'
import type { CompleteAccessCertificate } from '../../../db/repos/issuance/access-certificates.ts'
import { certificateFromDer, extensionOf } from '../../../shared/formats/certificate.ts'

/** Extensions that can be critical although the check of the chain does not know them. Wallets decide on the extended key usage. */
export const knownExtensions = [id_ce_extKeyUsage]

/** The policies of access certificates (ETSI TS 119 411-8, section 5.3): for natural and legal persons, also qualified. */
const accessPolicies = ['0.4.0.194118.1.1', '0.4.0.194118.1.2', '0.4.0.194118.1.3', '0.4.0.194118.1.4']

/** A rule of the profile that a certificate does not follow. Wallets decide what follows from it. */
interface Warning {
  /** The clause. */
  source: string
  message: string
}

/** Compares an access certificate with its profile and with the request. */
export function lintAccessCertificate({ chain, certified, subject }: CompleteAccessCertificate): Warning[] {
  const leaf = certificateFromDer(Buffer.from(chain[0] ?? '', 'base64'))
  const policies = decoded(extensionOf(leaf, id_ce_certificatePolicies), CertificatePolicies) ?? []
  const names = decoded(extensionOf(leaf, id_ce_subjectAltName), SubjectAlternativeName) ?? []
  const warnings: (Warning | false)[] = [
    ![...policies].some(({ policyIdentifier }) => accessPolicies.includes(policyIdentifier)) && {
      source: 'ETSI TS 119 411-8, section 5.3',
      message: `It has none of the policies of access certificates (${accessPolicies.join(', ')})`,
    },
    certified.organisationIdentifier === undefined && {
      source: 'ETSI TS 119 411-8, GEN-6.6.1-05',
      message: 'Its subject has no organizationIdentifier',
    },
    ![...names].some(({ uniformResourceIdentifier, rfc822Name }) => uniformResourceIdentifier ?? rfc822Name) && {
      source: 'ETSI TS 119 411-8, GEN-6.6.1-07',
      message: 'Its subjectAltName has no address for contact: a URI or an e-mail address',
    },
    certified.organisationIdentifier !== undefined &&
      certified.organisationIdentifier !== subject.organisationIdentifier && {
        source: 'RFC 2986, section 3',
        message: `Its organizationIdentifier is ${certified.organisationIdentifier}. The request has ${subject.organisationIdentifier}`,
      },
  ]
  return warnings.filter((warning) => warning !== false)
}

function decoded<T>(value: ArrayBuffer | undefined, schema: new () => T): T | undefined {
  if (!value) return undefined
  try {
    return AsnConvert.parse(value, schema)
  } catch {
    // An extension that cannot be read is as one that is missing.
    return undefined
  }
}
