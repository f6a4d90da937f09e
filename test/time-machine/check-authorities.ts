import 'reflect-metadata'
import { createHash, webcrypto, X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { dayMs } from '../../shared/clock.ts'
import type { AuthorityKind } from '../../shared/formats/x509/profiles.ts'
import { verifyStrictly } from '../verifiers/openssl.ts'
import type { History } from './actions.ts'
import { must } from './outside.ts'
import { type Check, type CheckContext, type Published, renewedBy, requireTimes } from './published.ts'
import { type Authority, authorityPath, type SimulatedTenant } from './tenants.ts'

x509.cryptoProvider.set(webcrypto as never)

/** The overview names a certificate this long before its end. */
const reportedBeforeMs = 60 * dayMs
/** A CRL is valid for 30 days and renewed after one. */
const crlRenewedBeforeMs = 29 * dayMs

const readers: Record<AuthorityKind, (tenant: SimulatedTenant) => Promise<X509Certificate[]>> = {
  async iaca({ outside }) {
    const { iacas } = await outside.json<{ iacas: { certificate: string }[] }>('/v1/openid/iacas')
    return iacas.map(({ certificate }) => new X509Certificate(Buffer.from(certificate, 'base64')))
  },
  async 'ecosystem-ca'({ outside }) {
    const { rootCertificates } = await outside.json<{ rootCertificates: { certificate: string }[] }>(
      '/v1/ecosystems/public/certificates/ca',
    )
    return rootCertificates.map(({ certificate }) => new X509Certificate(certificate))
  },
}

function authoritiesOf(kind: AuthorityKind): Check {
  return async ({ tenant, at }) => {
    const roots = await readers[kind](tenant)
    must(roots.length > 0, `no ${kind} is published`)
    for (const root of roots) {
      requireTimes(`an ${kind}`, { from: root.validFromDate, until: root.validToDate, at })
      must(root.verify(root.publicKey), `an ${kind} is not signed by itself`)
    }
    const last = new Date(Math.max(...roots.map(({ validToDate }) => validToDate.getTime())))
    return roots.map((root) => ({
      url: root.fingerprint256,
      until: root.validToDate,
      // Only the last one needs a successor.
      ...(root.validToDate.getTime() === last.getTime() && { renewedBy: renewedBy(last, reportedBeforeMs) }),
    }))
  }
}

function crlsOf(kind: AuthorityKind): Check {
  return async (context) => {
    const all: Published[] = []
    for (const authority of context.tenant.authorities) {
      if (authority.kind !== kind) continue
      const published = await checkCrl(context, authority)
      if (published) all.push(published)
    }
    return all
  }
}

async function checkCrl(
  { tenant, history, at, memory }: CheckContext,
  authority: Authority,
): Promise<Published | undefined> {
  const url = `${authorityPath(authority)}/crl`
  const { status, bytes } = await tenant.outside.get(url)
  const { validToDate, publicKey } = authority.certificate
  if (validToDate <= at) {
    must(status === 410, `the CRL of an ended ${authority.kind} is answered with ${status}`)
    return undefined
  }
  must(status === 200, `${url} is answered with ${status}`)
  const crl = new x509.X509Crl(bytes)
  const key = publicKey.export({ format: 'der', type: 'spki' })
  must(await crl.verify({ publicKey: new x509.PublicKey(key) }), `${url} is not signed by its authority`)
  const until = crl.nextUpdate
  must(until !== undefined, `${url} has no end`)
  requireTimes(url, { from: crl.thisUpdate, until, at })
  requireNextNumber(url, numberOf(crl), bytes, memory)
  const listed = new Set(crl.entries.map(({ serialNumber }) => serialNumber.toUpperCase().replace(/^0+/, '')))
  for (const serialNumber of revokedBelow(authority, history)) {
    must(listed.has(serialNumber.replace(/^0+/, '')), `${url} does not list the revoked certificate ${serialNumber}`)
  }
  return { url, until, ...(until < validToDate && { renewedBy: renewedBy(until, crlRenewedBeforeMs) }) }
}

/** The extension cRLNumber (RFC 5280, section 5.2.3) is an ASN.1 INTEGER. */
function numberOf(crl: x509.X509Crl): number {
  const value = crl.extensions.find(({ type }) => type === '2.5.29.20')?.value
  must(value !== undefined, 'a CRL has no number')
  return Number(`0x${Buffer.from(value).subarray(2).toString('hex')}`)
}

/** Numbers of CRLs rise. They have gaps, because they are at least the minutes since 1970. */
function requireNextNumber(url: string, number: number, bytes: Buffer, memory: Map<string, number>): void {
  const digest = createHash('sha256').update(bytes).digest().readUIntBE(0, 6)
  const last = memory.get(url)
  if (last !== undefined && memory.get(`${url} digest`) !== digest)
    must(number > last, `the number of ${url} is ${number} after ${last}`)
  memory.set(url, number)
  memory.set(`${url} digest`, digest)
}

/** Returns the serial numbers of revoked certificates that the authority signed. */
function revokedBelow({ certificate }: Authority, { revoked }: History): string[] {
  const below = [...revoked].filter(([, each]) => each.checkIssued(certificate) && each.verify(certificate.publicKey))
  return below.map(([serialNumber]) => serialNumber)
}

/** Requires that an authority of the tenant signed the certificate, which is valid in the whole period. Returns the authority. */
export function requireChain(
  { tenant, history }: Pick<CheckContext, 'tenant' | 'history'>,
  signer: X509Certificate,
  { kind, from, until }: { kind: AuthorityKind; from: Date; until: Date },
): X509Certificate {
  const root = tenant.authorities.find(
    ({ kind: each, certificate }) =>
      each === kind && signer.checkIssued(certificate) && signer.verify(certificate.publicKey),
  )
  must(root !== undefined, `a signer is not below an ${kind} of the tenant: ${signer.subject}`)
  for (const each of [signer, root.certificate])
    must(each.validFromDate <= from && each.validToDate >= until, `${each.subject} signs outside of its validity`)
  must(!history.revoked.has(signer.serialNumber), `a revoked signer signs: ${signer.subject}`)
  return root.certificate
}

/** Requires that `openssl verify` accepts the chain now, with the CRL of its authority. Many lists have the same signer, which is verified once. */
export async function requireOpenssl(
  { tenant, at, memory }: CheckContext,
  signer: X509Certificate,
  root: X509Certificate,
) {
  const verified = `openssl ${signer.fingerprint256}`
  if (memory.get(verified) === at.getTime()) return
  const authority = tenant.authorities.find(({ certificate }) => certificate === root)
  must(authority !== undefined, 'the root is not of the tenant')
  const crl = (await tenant.outside.get(`${authorityPath(authority)}/crl`)).bytes
  const verdict = await verifyStrictly({ leaf: signer.toString(), root: root.toString(), crl }, at)
  must(verdict === 'leaf.pem: OK\n', `openssl refuses a signer of ${tenant.name}: ${verdict}`)
  memory.set(verified, at.getTime())
}

export const authorityChecks = {
  iaca: authoritiesOf('iaca'),
  'ecosystem-ca': authoritiesOf('ecosystem-ca'),
  'iaca-crl': crlsOf('iaca'),
  'ecosystem-ca-crl': crlsOf('ecosystem-ca'),
}
