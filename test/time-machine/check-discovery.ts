import { createPublicKey, type JsonWebKey, X509Certificate } from 'node:crypto'
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { dayMs, hourMs } from '../../shared/clock.ts'
import { openCheckpoint } from '../../shared/formats/checkpoint.ts'
import { verifyJsonLd } from '../verifiers/outside-verifiers.ts'
import { requireChain } from './check-authorities.ts'
import { must, pathOf } from './outside.ts'
import { type CheckContext, requireTimes } from './published.ts'

interface Named {
  issuer: string
}

interface Resource {
  resource: string
}

interface Aggregation {
  status_lists: string[]
}

interface Linkage {
  issuanceDate: string
  expirationDate: string
}

type Documents = Record<string, (context: CheckContext) => Promise<void>>

/** The checks of public documents without an end of validity, by operation. */
export const discoveryChecks: Documents = {
  async retrieveDidDocument({ tenant, did }) {
    const { id, assertionMethod } = await did()
    must(id === tenant.did && assertionMethod.length > 0, 'the DID document is wrong')
  },
  retrieveJwks: (context) => requireRetiredKeys(context, '/v1/openid/jwks'),
  retrieveWebhookKeys: (context) => requireRetiredKeys(context, '/v1/webhooks/jwks'),
  retrieveAuditKeys: (context) => requireRetiredKeys(context, '/v1/audit/jwks'),
  async retrieveClientAssertionKeys({ tenant }) {
    const { keys } = await tenant.outside.json<JSONWebKeySet>('/v1/sign-in/jwks')
    must(Array.isArray(keys), 'the key set for sign-in providers is wrong')
  },
  async retrieveResourceMetadata({ tenant }) {
    const { resource } = await tenant.outside.json<Resource>('/.well-known/oauth-protected-resource')
    must(resource === tenant.baseUrl, 'the metadata of the protected resource is wrong')
  },
  async retrieveEndpointResourceMetadata({ tenant }) {
    const path = '/v1/openid/credential'
    const { resource } = await tenant.outside.json<Resource>(`/.well-known/oauth-protected-resource${path}`)
    must(resource === tenant.baseUrl + path, 'the metadata of the credential endpoint is wrong')
  },
  async retrieveStatusListAggregation({ tenant }) {
    const all = await tenant.outside.json<Aggregation>('/v2/credentials/status-lists/distribution')
    const mobile = await tenant.outside.json<Aggregation>('/v2/credentials/mobile/status-lists/distribution')
    const missing = mobile.status_lists.filter((each) => !all.status_lists.includes(each))
    must(missing.length === 0, `the aggregation of status lists lacks ${missing.join(', ')}`)
  },
  async retrieveJwtVcIssuer({ tenant }) {
    const { status } = await tenant.outside.get('/.well-known/jwt-vc-issuer')
    must(status === 200 || status === 404, `the issuer metadata of SD-JWT VCs is answered with ${status}`)
  },
  async retrieveAuthorizationServerMetadata({ tenant }) {
    const { issuer } = await tenant.outside.json<Named>('/.well-known/oauth-authorization-server')
    must(issuer === tenant.baseUrl, 'the authorization server metadata is wrong')
  },
  async retrieveOpenIdDiscovery({ tenant }) {
    const { issuer } = await tenant.outside.json<Named>('/.well-known/openid-configuration')
    must(issuer === tenant.baseUrl, 'the OpenID configuration is wrong')
  },
  async retrieveIssuerMetadata(context) {
    const { tenant, at } = context
    const { status, bytes } = await tenant.outside.get('/.well-known/openid-credential-issuer', 'application/jwt')
    must(status === 200, `the signed issuer metadata is answered with ${status}`)
    const jwt = bytes.toString()
    const { kid, x5c: [leaf] = [] } = decodeProtectedHeader(jwt)
    const signer = leaf === undefined ? undefined : new X509Certificate(Buffer.from(leaf, 'base64'))
    const keys = createLocalJWKSet(await tenant.outside.json<JSONWebKeySet>('/v1/openid/jwks'))
    const key = signer ? () => signer.publicKey : keys
    const { payload } = await jwtVerify(jwt, key, { currentDate: at, clockTolerance: '5m' })
    const { iss, iat, exp } = payload
    must(iat !== undefined && exp !== undefined && iss === tenant.baseUrl, 'the signed issuer metadata is wrong')
    if (signer) requireChain(context, signer, { kind: 'iaca', from: new Date(iat * 1000), until: new Date(exp * 1000) })
    else must(kid !== undefined, 'the signed issuer metadata names no key')
  },
  async retrieveDidConfiguration(context) {
    const { entries } = await context.tenant.outside.json<{ entries: Linkage[] }>('/.well-known/did-configuration')
    await requireLinkage(context, entries)
  },
  async retrieveLinkedDids(context) {
    const { linked_dids: linked } = await context.tenant.outside.json<{ linked_dids: Linkage[] }>(
      '/.well-known/did-configuration.json',
    )
    await requireLinkage(context, linked)
  },
  async retrieveSdJwtType({ tenant }) {
    const operator = await tenant.operator()
    const path = `/v2/credentials/sd-jwt/configurations/${tenant.configurations['sd-jwt']}`
    const { vct } = (await operator.get(path)).body
    const { vct: published } = await tenant.outside.json<{ vct: string }>(pathOf(vct))
    must(published === vct, 'the type metadata is of another type')
  },
  async retrieveAuditCheckpoint({ tenant, at, memory }) {
    const { status, bytes } = await tenant.outside.get('/v1/audit/checkpoint')
    must(status === 200, `the checkpoint is answered with ${status}`)
    const { keys } = await tenant.outside.json<{ keys: JsonWebKey[] }>('/v1/audit/jwks')
    const checkpoint = openCheckpoint(
      bytes.toString(),
      keys.map((key) => createPublicKey({ key, format: 'jwk' })),
    )
    must(checkpoint !== undefined, 'the checkpoint is not signed by a published key')
    requireGrowth(`${tenant.name} checkpoint`, checkpoint.size, { at, memory })
  },
}

/** The audit of each tenant grows at least once a week. */
const grownWithinMs = 15 * dayMs

function requireGrowth(name: string, size: number, { at, memory }: Pick<CheckContext, 'at' | 'memory'>): void {
  const last = memory.get(name) ?? 0
  must(size >= last, `the ${name} has ${size} rows, an earlier one had ${last}`)
  if (size > last) memory.set(`${name} grown`, at.getTime())
  const grownAt = memory.get(`${name} grown`) ?? at.getTime()
  must(
    at.getTime() - grownAt < grownWithinMs,
    `the ${name} has had ${size} rows since ${new Date(grownAt).toISOString()}`,
  )
  memory.set(name, size)
}

async function requireLinkage({ at, did, isThorough }: CheckContext, [credential]: Linkage[]): Promise<void> {
  must(credential !== undefined, 'the DID configuration has no credential')
  const [from, until] = [new Date(credential.issuanceDate), new Date(credential.expirationDate)]
  requireTimes('the DID configuration', { from, until, at })
  if (!isThorough) return
  must(await verifyJsonLd(credential, await did()), 'the DID configuration is not verified by the DID document')
}

/** Receivers can verify a signature for a day, so a replaced key stays published for a day. */
const publishedForMs = 24 * hourMs

/** Requires that a key stays published for a day after the first key that follows it. Keys of one algorithm follow each other. */
async function requireRetiredKeys({ tenant, at, memory }: CheckContext, path: string): Promise<void> {
  const { keys } = await tenant.outside.json<{ keys: { kid: string; crv: string }[] }>(path)
  must(keys.length > 0, `${path} has no key`)
  for (const [curve, ofCurve] of Map.groupBy(keys, ({ crv }) => crv)) {
    const prefix = `${tenant.name} ${path} ${curve} `
    const published = new Set(ofCurve.map(({ kid }) => prefix + kid))
    const names = [...memory.keys()].filter((name) => name.startsWith(prefix))
    const added = [...published].filter((name) => !memory.has(name))
    for (const name of names) {
      const retiredAt = memory.get(name) ?? Number.POSITIVE_INFINITY
      if (!published.has(name)) {
        must(at.getTime() - retiredAt >= publishedForMs, `${name} is not published for a day after its last signature`)
        memory.delete(name)
      } else if (added.length > 0 && retiredAt === Number.POSITIVE_INFINITY) memory.set(name, at.getTime())
    }
    // Of several new keys, only one is in use.
    for (const name of added) memory.set(name, added.length === 1 ? Number.POSITIVE_INFINITY : at.getTime())
  }
}
