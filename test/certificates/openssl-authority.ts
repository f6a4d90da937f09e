import { openssl } from '../verifiers/openssl.ts'

/** The extensions of an IACA, as an operator writes them for openssl. */
const rootExtensions = {
  basicConstraints: 'critical,CA:TRUE,pathlen:0',
  keyUsage: 'critical,keyCertSign,cRLSign',
  subjectKeyIdentifier: 'hash',
  issuerAltName: 'email:iaca@example.govt.nz',
  crlDistributionPoints: 'URI:https://example.govt.nz/iaca.crl',
}
const signerExtensions = {
  subjectKeyIdentifier: 'hash',
  authorityKeyIdentifier: 'keyid:always',
  keyUsage: 'critical,digitalSignature',
  issuerAltName: 'email:iaca@example.govt.nz',
  crlDistributionPoints: 'URI:https://example.govt.nz/iaca.crl',
  extendedKeyUsage: 'critical,1.0.18013.5.1.2',
}

const subordinateExtensions = {
  basicConstraints: 'critical,CA:TRUE,pathlen:0',
  keyUsage: 'critical,keyCertSign,cRLSign',
  issuerAltName: undefined,
  extendedKeyUsage: undefined,
}

export interface Wanted {
  subject?: string
  days?: number
  /** Changed extensions. Undefined removes an extension. */
  extensions?: Record<string, string | undefined>
  /** An option such as `-sha1`. */
  flags?: string[]
  /** The key type of an IACA. */
  curve?: string
}

export interface OpensslAuthority {
  pem: string
  key: string
  /** Issues a certificate for a request. */
  certify(csr: string, wanted?: Wanted): Promise<string>
  /** An authority that this authority has certified. */
  subordinate(wanted?: Wanted): Promise<OpensslAuthority>
}

function section(of: Record<string, string>, { extensions = {} }: Wanted): string {
  const lines = Object.entries({ ...of, ...extensions }).flatMap(([name, value]) => (value ? [`${name}=${value}`] : []))
  return ['[ext]', ...lines, ''].join('\n')
}

/** An IACA whose key openssl holds. */
export async function newOpensslAuthority(wanted: Wanted = {}): Promise<OpensslAuthority> {
  const { subject = '/C=NZ/CN=Openssl IACA', curve = 'P-256', days = 3650, flags = [] } = wanted
  const key = await openssl(['genpkey', '-algorithm', 'EC', '-pkeyopt', `ec_paramgen_curve:${curve}`])
  const files = { 'root.key': key, 'root.ext': section(rootExtensions, wanted) }
  const request = await openssl(['req', '-new', '-key', 'root.key', '-subj', subject, '-utf8'], files)
  const pem = await openssl(
    ['x509', '-req', '-in', 'root.csr', '-signkey', 'root.key', '-extfile', 'root.ext', '-extensions', 'ext'].concat(
      ['-days', String(days)],
      flags,
    ),
    { ...files, 'root.csr': request },
  )
  return authorityOf(only(pem), key)
}

function authorityOf(pem: string, key: string): OpensslAuthority {
  const certifying: OpensslAuthority['certify'] = (csr, of) => certify({ pem, key }, csr, of)
  return {
    ...{ pem, key, certify: certifying },
    async subordinate({ subject = '/C=NZ/CN=Between', days = 1000, extensions } = {}) {
      const own = await openssl(['genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'])
      const csr = await openssl(['req', '-new', '-key', 'own.key', '-subj', subject], { 'own.key': own })
      const of = { ...subordinateExtensions, ...extensions }
      return authorityOf(await certifying(csr, { subject, days, extensions: of }), own)
    },
  }
}

async function certify(issuer: { pem: string; key: string }, csr: string, wanted: Wanted = {}): Promise<string> {
  const { subject = '/C=NZ/CN=Openssl signer', days = 365, flags = [] } = wanted
  const files = {
    ...{
      'leaf.csr': csr,
      'leaf.ext': section(signerExtensions, wanted),
      'root.pem': issuer.pem,
      'root.key': issuer.key,
    },
  }
  const words = ['x509', '-req', '-in', 'leaf.csr', '-CA', 'root.pem', '-CAkey', 'root.key', '-subj', subject]
  return only(
    await openssl([...words, '-extfile', 'leaf.ext', '-extensions', 'ext', '-days', String(days), ...flags], files),
  )
}

/** Openssl prints its progress to standard error. */
function only(output: string): string {
  const [pem] = /-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----\n/.exec(output) ?? []
  if (!pem) throw new Error(output)
  return pem
}
