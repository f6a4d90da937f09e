import { hash } from 'node:crypto'
import { AsnConvert } from '@peculiar/asn1-schema'
import { Name } from '@peculiar/asn1-x509'
import { certificateFromDer } from '../../certificate.ts'
import { FormatError } from '../../format-error.ts'
import { subjectKeyIdentifierOf } from '../entry.ts'
import { nameText } from '../name-text.ts'
import { rawCertificate } from '../raw-certificate.ts'
import { openLote } from './lote-jws.ts'
import { type LoteService, type LoteType, loteProfiles, loteTypeNames } from './lote-types.ts'
import { certificatesOf, readLotePayload } from './read-lote.ts'

/** A certificate of a list, as text. */
export interface ShownLoteCertificate {
  /** SHA-256, hex. */
  certificateFingerprint: string
  /** Hex. */
  ski: string
  issuer: string
  subject: string
  /** The name of its entity. */
  entity: string
  services: readonly LoteService[]
  /** ISO 8601. */
  notBefore: string
  notAfter: string
}

/** The differences between two lists of an ecosystem. */
export interface LoteChanges {
  added: ShownLoteCertificate[]
  removed: ShownLoteCertificate[]
  /** Certificates with other services. */
  changed: (ShownLoteCertificate & { formerServices: readonly LoteService[] })[]
}

/** Compares two lists of this service by certificate. Throws for an invalid list. */
export function loteChanges(before: Buffer, after: Buffer): LoteChanges {
  const [then, now] = [byFingerprint(before), byFingerprint(after)]
  return {
    added: [...now].flatMap(([fingerprint, each]) => (then.has(fingerprint) ? [] : [each])),
    removed: [...then].flatMap(([fingerprint, each]) => (now.has(fingerprint) ? [] : [each])),
    changed: [...now].flatMap(([fingerprint, each]) => {
      const former = then.get(fingerprint)
      const isSame = former?.services.toSorted().join() === each.services.toSorted().join()
      return former && !isSame ? [{ ...each, formerServices: former.services }] : []
    }),
  }
}

/** Returns the certificates of a list of this service in order. Throws for an invalid list. */
export function shownLoteCertificates(list: Buffer): ShownLoteCertificate[] {
  return [...byFingerprint(list).values()]
}

function byFingerprint(list: Buffer): Map<string, ShownLoteCertificate> {
  const lote = readLotePayload(openLote(list).payload)
  const certificates = new Map<string, ShownLoteCertificate>()
  const profile = loteProfiles[typeOf(lote.ListAndSchemeInformation.LoTEType)]
  for (const { name, service, val } of certificatesOf(lote, profile)) {
    const der = Buffer.from(val ?? '', 'base64')
    const fingerprint = hash('sha256', der)
    const earlier = certificates.get(fingerprint)
    const services = [...new Set([...(earlier?.services ?? []), service])]
    certificates.set(fingerprint, earlier ? { ...earlier, services } : { ...read(der), entity: name, services })
  }
  return certificates
}

function typeOf(uri: string | undefined): LoteType {
  const type = loteTypeNames.find((each) => loteProfiles[each].loteType === uri)
  if (!type) throw new FormatError('invalid_trusted_list', 'its type is unknown')
  return type
}

function read(der: Buffer): Omit<ShownLoteCertificate, 'entity' | 'services'> {
  const certificate = certificateFromDer(der)
  const { issuer, subject } = rawCertificate(der)
  const textOf = (name: Buffer) => nameText(AsnConvert.parse(name, Name))
  return {
    certificateFingerprint: hash('sha256', der),
    ski: subjectKeyIdentifierOf(certificate).toString('hex'),
    issuer: textOf(issuer),
    subject: textOf(subject),
    notBefore: certificate.validFromDate.toISOString(),
    notAfter: certificate.validToDate.toISOString(),
  }
}
