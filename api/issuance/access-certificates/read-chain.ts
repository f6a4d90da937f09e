import type { KeyObject, X509Certificate } from 'node:crypto'
import { KeyUsageFlags } from '@peculiar/asn1-x509'
import type { CertifiedContent } from '../../../db/repos/issuance/access-certificates.ts'
import { wrongField } from '../../../shared/errors/errors.ts'
import { certificateFromStrictPem, contentOf } from '../../../shared/formats/certificate.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { accessSubjectIn } from '../../../shared/formats/x509/access-subject.ts'
import { readCertificate } from '../../../shared/formats/x509/read-certificate.ts'
import { verifyChain, verifyPinnedLeaf } from '../../../shared/formats/x509-chain.ts'
import { knownExtensions } from './lint.ts'

/**
 * Reads a chain in PEM, the access certificate first. A self-signed certificate at its end is the trust anchor. It is used to verify the
 * chain, and is not stored, because wallets have it. Throws `bad_request` with the check that failed.
 */
export function readAccessChain(pem: string, publicKey: KeyObject, at: Date): CertifiedContent {
  try {
    return read(pem, publicKey, at)
  } catch (error) {
    if (error instanceof FormatError) throw refused(`It cannot be read: ${error.message}`)
    throw error
  }
}

function read(pem: string, publicKey: KeyObject, at: Date): CertifiedContent {
  const chain = pem
    .split(/(?=-----BEGIN )/)
    .filter((part) => part.trim() !== '')
    .map(certificateFromStrictPem)
  const [leaf] = chain
  if (!leaf) throw refused('It is empty')
  if (!leaf.publicKey.equals(publicKey))
    throw refused('Its first certificate does not have the key of csrPem. Have csrPem certified')
  const fault = faultOf(leaf, chain, at)
  if (fault) throw refused(`The chain is refused: ${fault}`)
  const sent = isAnchor(chain.at(-1)) ? chain.slice(0, -1) : chain
  return {
    chain: sent.map(({ raw }) => raw.toString('base64')),
    certified: subjectOf(leaf),
    fingerprint: leaf.fingerprint256.replaceAll(':', '').toLowerCase(),
    notBefore: leaf.validFromDate,
    notAfter: leaf.validToDate,
  }
}

/** The profile allows seals and signatures (ETSI TS 119 411-8, section 6.6.1). */
const leafUsage = KeyUsageFlags.digitalSignature | KeyUsageFlags.nonRepudiation

function faultOf(leaf: X509Certificate, chain: X509Certificate[], at: Date): string | undefined {
  const question = { at, leafUsage, knownExtensions }
  // The anchor of a certificate alone is unknown here.
  if (chain.length === 1) return messageOf(verifyPinnedLeaf(leaf, question))
  const last = chain.slice(-1)
  return messageOf(verifyChain({ ...question, chain, roots: last }))
}

function messageOf(verdict: ReturnType<typeof verifyChain>): string | undefined {
  return verdict.isTrusted ? undefined : verdict.message
}

function isAnchor(certificate: X509Certificate | undefined): boolean {
  if (!certificate) return false
  const { isSelfIssued, isAuthority, publicKey } = contentOf(certificate)
  return isAuthority && isSelfIssued && certificate.verify(publicKey)
}

function subjectOf(leaf: X509Certificate): CertifiedContent['certified'] {
  const subject = accessSubjectIn(readCertificate(leaf).subject)
  // PostgreSQL cannot store U+0000 in a text.
  if (Object.values(subject).some((text) => text.includes('\0'))) throw refused('Its subject contains U+0000')
  return subject
}

function refused(message: string) {
  return wrongField('certificatePem', message)
}
