import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import {
  CertificateList,
  CRLNumber,
  Extension,
  id_ce_cRLNumber,
  type Name,
  RevokedCertificate,
  TBSCertList,
  Time,
  Version,
} from '@peculiar/asn1-x509'
import type { BytesSigner } from '../bytes-signer.ts'
import { ecdsaWithSha256, signDer } from './build-certificate.ts'
import { arrayBuffer, authorityKeyIdentifierOf, extension } from './extensions.ts'

export interface CrlContent {
  issuer: { name: Name; key: BytesSigner }
  /** CRLNumber. It increases with each list of an authority. */
  number: number
  thisUpdate: Date
  nextUpdate: Date
  /** Serial numbers in hexadecimal. */
  revoked: readonly { serialNumber: string; revokedAt: Date }[]
}

/**
 * Returns the DER of a CRL (ISO/IEC 18013-5, table B.10). It has two extensions, and its entries have none. If nothing is revoked, the
 * list of entries is absent and not empty (RFC 5280, section 5.1.2.6).
 */
export async function buildCrl({ issuer, number, thisUpdate, nextUpdate, revoked }: CrlContent): Promise<Buffer> {
  const entries = revoked.map(
    ({ serialNumber, revokedAt }) =>
      new RevokedCertificate({
        userCertificate: arrayBuffer(Buffer.from(serialNumber, 'hex')),
        revocationDate: new Time(revokedAt),
      }),
  )
  const crlNumber = new OctetString(AsnConvert.serialize(new CRLNumber(number)))
  const tbsCertList = new TBSCertList({
    version: Version.v2,
    signature: ecdsaWithSha256(),
    issuer: issuer.name,
    thisUpdate: new Time(thisUpdate),
    nextUpdate: new Time(nextUpdate),
    ...(entries.length > 0 && { revokedCertificates: entries }),
    crlExtensions: [
      extension('authorityKeyIdentifier', authorityKeyIdentifierOf(issuer.key.publicKey)),
      new Extension({ extnID: id_ce_cRLNumber, extnValue: crlNumber }),
    ],
  })
  const signature = await signDer(AsnConvert.serialize(tbsCertList), issuer.key)
  const list = new CertificateList({ tbsCertList, signatureAlgorithm: ecdsaWithSha256(), signature })
  return Buffer.from(AsnConvert.serialize(list))
}
