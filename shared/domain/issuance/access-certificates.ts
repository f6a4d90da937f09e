/** Access certificates of providers of attestations (ETSI TS 119 411-8). */

/** The certificates of a tenant, with those that were replaced. */
export const maxAccessCertificates = 20

/** The owner of the key of an access certificate. */
export function accessKeyOwner(id: string) {
  return { kind: 'access-certificate', id } as const
}
