import { X509Certificate } from 'node:crypto'
import { AsnConvert } from '@peculiar/asn1-schema'
import { Certificate, type Name } from '@peculiar/asn1-x509'
import type { Reader } from '../../../db/client.ts'
import type { CompleteCertificate } from '../../../db/repos/certificates/certificates.ts'
import { findSigningKeyId } from '../../../db/repos/identifiers/keys.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Signer } from '../keys/signer.ts'

/** An authority that signs certificates and CRLs. */
export interface Authority {
  id: string
  name: Name
  key: Signer
  notBefore: Date
  notAfter: Date
}

/** Returns a managed authority with its key. `name` is that of its certificate, byte for byte. */
export async function openAuthority(db: Reader, keyring: Keyring, row: CompleteCertificate): Promise<Authority> {
  const { id, certificate, notBefore, notAfter } = row
  return { id, name: nameIn(certificate), key: await certificateKeyOf(db, keyring, row), notBefore, notAfter }
}

function nameIn(certificate: Buffer): Name {
  return AsnConvert.parse(certificate, Certificate).tbsCertificate.subject
}

/** Returns the key of a certificate of this service. */
export async function certificateKeyOf(
  db: Reader,
  keyring: Keyring,
  { tenantId, id }: Pick<CompleteCertificate, 'tenantId' | 'id'>,
): Promise<Signer> {
  const owner = { kind: 'certificate', id } as const
  const keyId = await findSigningKeyId(db, tenantId, owner, { purpose: 'certificate', algorithm: 'ES256' })
  if (keyId === undefined) throw new Error(`certificate ${id} has no key`)
  return keyring.signer(db, tenantId, keyId)
}

/** Throws `signature_mismatch` if the key of the authority does not verify the certificate. */
export function requireSignedBy(certificate: Buffer, { key }: Pick<Authority, 'key'>): void {
  if (new X509Certificate(certificate).verify(key.publicKey)) return
  throw new FormatError('signature_mismatch', 'a certificate is not verified by the key that signed it')
}
