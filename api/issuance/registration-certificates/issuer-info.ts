import type { RegistrationCertificateRow } from '../../../db/repos/issuance/registration-certificates.ts'

/** Returns whether issuer metadata contain a registration certificate. Wallets refuse an expired one. */
export function isPublished({ expiresAt }: RegistrationCertificateRow, at: Date): boolean {
  return expiresAt === null || expiresAt > at
}

/** Returns `issuer_info` of the issuer metadata (ETSI TS 119 472-3, section 4.2.3). */
export function issuerInfoOf(row: RegistrationCertificateRow) {
  const { jwt, registrarDataset } = row
  return [
    { format: 'registration_cert', data: jwt },
    ...(registrarDataset ? [{ format: 'registrar_dataset', data: registrarDataset }] : []),
  ]
}
