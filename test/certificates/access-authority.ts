import { newOpensslAuthority, type OpensslAuthority } from './openssl-authority.ts'

export const registeredId = 'LEIXG-529900T8BM49AURSDO55'
export const subject = {
  ...{ country: 'BE', organisationName: 'Transport Agency', organisationIdentifier: registeredId },
  commonName: 'Ägentur für Verkehr',
}

/** The extensions of an access certificate (ETSI TS 119 411-8, section 6.6.1). NCP-l-eudiwrp is the policy of legal persons. */
const accessExtensions = {
  ...{ issuerAltName: undefined, extendedKeyUsage: undefined },
  basicConstraints: 'critical,CA:FALSE',
  subjectAltName: 'URI:https://agency.example/contact',
  certificatePolicies: '0.4.0.194118.1.2',
}

/** An authority of access certificates with one authority between. */
export async function newAccessAuthority() {
  const root = await newOpensslAuthority({
    subject: '/C=BE/CN=Access root',
    extensions: { basicConstraints: 'critical,CA:TRUE' },
  })
  const between = await root.subordinate({ subject: '/C=BE/CN=Access authority' })
  return { root, between }
}

interface Changes {
  id?: string | null
  days?: number
  extensions?: Record<string, string | undefined>
}

/** Certifies a request as an access certificate. */
export function certifyAccess(
  authority: OpensslAuthority,
  csr: string,
  { id = registeredId, days = 365, extensions = {} }: Changes = {},
): Promise<string> {
  const identifier = id === null ? '' : `/organizationIdentifier=${id}`
  return authority.certify(csr, {
    subject: `/C=BE/O=Transport Agency${identifier}/CN=Transport Agency`,
    days,
    extensions: { ...accessExtensions, ...extensions },
  })
}
