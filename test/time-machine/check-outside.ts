import type { X509Certificate } from 'node:crypto'
import { unixSeconds } from '../../shared/clock.ts'
import { findFaultByPython, type PublishedBytes } from '../verifiers/published-by-python.ts'
import { readSdJwt, verifySdJwt } from '../verifiers/sd-jwt-verifier.ts'
import type { History } from './actions.ts'
import { requireChain } from './check-authorities.ts'
import { must, pathOf } from './outside.ts'
import { read, readSign1 } from './read-mobile.ts'
import { authorityPath, type SimulatedTenant } from './tenants.ts'

interface OutsideContext {
  tenant: SimulatedTenant
  history: History
  at: Date
}

/** Verifies documents of a tenant with libraries that share no code with the other checks: @sd-jwt, and packages of Python. */
export async function requireOutsideVerifiers(context: OutsideContext): Promise<void> {
  await requireSdJwtLibrary(context)
  const fault = findFaultByPython(await publishedBytes(context))
  must(fault === undefined, `Python refuses a document of ${context.tenant.name}: ${fault}`)
}

/** The newest valid SD-JWT VC, with its status list and its type. */
async function requireSdJwtLibrary({ tenant, history, at }: OutsideContext): Promise<void> {
  const newest = history.held.findLast(
    (each) => each.profile === 'sd-jwt' && each.tenant === tenant && each.status === 'valid' && each.until > at,
  )
  if (!newest) return
  const text = String(newest.content)
  const { vct } = await verifySdJwt(text, { anonymous: tenant.anonymous, at })
  must(vct === readSdJwt(text).payload.vct, `@sd-jwt reads another type of SD-JWT VC ${newest.id}`)
}

/** Fetches the CRLs, trusted lists and token status lists that have not ended. */
async function publishedBytes({ tenant, history, at }: OutsideContext): Promise<PublishedBytes> {
  const published: PublishedBytes = { at: unixSeconds(at), crls: [], signed: [] }
  const base64Of = async (path: string, accept?: string) => {
    const { status, bytes } = await tenant.outside.get(path, accept)
    return status === 200 ? bytes.toString('base64') : undefined
  }
  for (const authority of tenant.authorities) {
    const url = `${authorityPath(authority)}/crl`
    const crl = await base64Of(url)
    if (crl !== undefined) published.crls.push({ url, crl, root: authority.certificate.toString() })
  }
  const ofTenant = history.held.filter((each) => each.tenant === tenant)
  const tokenLists = ofTenant.flatMap(({ profile, list }) => {
    return list && (profile === 'mobile' || profile === 'sd-jwt') ? pathOf(list.url) : []
  })
  const trustedLists = tenant.trustedLists.map((kind) => `${tenant.ecosystem}/${kind}s/public/latest`)
  const urls = [
    ...trustedLists.map((url) => ({ url, accept: undefined, kind: 'ecosystem-ca' as const })),
    ...[...new Set(tokenLists)].map((url) => ({ url, accept: 'application/statuslist+cwt', kind: 'iaca' as const })),
  ]
  for (const { url, accept, kind } of urls) {
    const cose = await base64Of(url, accept)
    if (cose === undefined) continue
    const { signer } = readSign1(read(Buffer.from(cose, 'base64')))
    const root: X509Certificate = requireChain({ tenant, history }, signer, { kind, from: at, until: at })
    published.signed.push({ url, cose, root: root.toString() })
  }
  return published
}
