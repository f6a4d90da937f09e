import { X509Certificate } from 'node:crypto'
import { type CreateDeps, createTenant } from '../../api/tenancy/tenants/create.ts'
import { type Clock, dayMs, hourMs, plusMs } from '../../shared/clock.ts'
import type { TrustedListKind } from '../../shared/formats/trusted-lists/kinds.ts'
import type { AuthorityKind } from '../../shared/formats/x509/profiles.ts'
import { newEcosystem, newListed, newType } from '../api/ecosystems/factories.ts'
import { newCertificate } from '../certificates/certificates.ts'
import { ecosystemCas, iacas, newEcosystemCa, newIaca } from '../certificates/hierarchy.ts'
import { type Api, createApi } from '../harness/api-client.ts'
import { mdlConfiguration, mdlType, sdJwtConfiguration } from '../harness/factories.ts'
import { keyRotation } from './key-rotation.ts'
import { createOutside, type Outside } from './outside.ts'

export interface Authority {
  kind: AuthorityKind
  id: string
  certificate: X509Certificate
}

/** A tenant, and what verifiers and its operator know about it. */
export interface SimulatedTenant {
  name: string
  id: string
  host: string
  baseUrl: string
  did: string
  outside: Outside
  /** The client of a verifier without a token. */
  anonymous: Api
  /** Returns a client with a token that is valid now. */
  operator(): Promise<Api>
  authorities: Authority[]
  ecosystem: string
  trustedLists: TrustedListKind[]
  frequency: 'Daily' | 'Weekly'
  /** Configurations of credentials by profile. */
  configurations: { mobile: string; 'sd-jwt': string }
  /** The validity of the authorities in days. */
  authorityDays: Record<AuthorityKind, number>
}

export interface Setting {
  /** Of the processes that run now. */
  deps(): CreateDeps
  origin: string
  clock: Clock
}

/**
 * Creates two tenants. The authorities of `lasting` end after the simulation, so that signers are renewed below them. Those of `ending` end
 * within the simulation, after `endingDays`.
 */
export async function createTenants(
  setting: Setting,
  endingDays: SimulatedTenant['authorityDays'],
): Promise<SimulatedTenant[]> {
  const deps = setting.deps()
  const { client, clientSecret } = await createTenant(deps, {
    ...{ kind: 'platform', name: 'Platform', subdomain: 'platform', aliases: [], settings: {} },
  })
  const platform = operatorAt(setting, deps.config.platformHost, client.id, clientSecret)
  return [
    await newTenant(setting, await platform(), {
      ...{ name: 'lasting', trustedLists: ['vical', 'rical'], frequency: 'Daily' },
      authorityDays: { iaca: 3650, 'ecosystem-ca': 7300 },
    }),
    await newTenant(setting, await platform(), {
      ...{ name: 'ending', trustedLists: ['vical'], frequency: 'Weekly' },
      authorityDays: endingDays,
    }),
  ]
}

type Wanted = Pick<SimulatedTenant, 'name' | 'trustedLists' | 'frequency' | 'authorityDays'>

async function newTenant(setting: Setting, platform: Api, wanted: Wanted): Promise<SimulatedTenant> {
  const { name, trustedLists } = wanted
  const created = await platform.post('/v1/tenants', { name, subdomain: name, keyRotation })
  if (created.status !== 201) throw new Error(`tenant: ${created.status} ${JSON.stringify(created.body)}`)
  const { id, baseUrl, did, client } = created.body
  const { host } = new URL(baseUrl)
  const operator = operatorAt(setting, host, client.clientId, client.clientSecret)
  const operated = { operator: await operator() }
  const tenant: SimulatedTenant = {
    ...{ ...wanted, id, host, baseUrl, did, operator, authorities: [] },
    outside: createOutside(setting.origin, host),
    anonymous: createApi(setting.origin, host),
    ecosystem: await newEcosystem(operated),
    configurations: { mobile: '', 'sd-jwt': '' },
  }
  for (const kind of ['iaca', 'ecosystem-ca'] as const) await addAuthority(setting, tenant, kind)
  const expiresIn = { days: 400 }
  tenant.configurations.mobile = await mdlConfiguration(operated, { includeStatus: true, expiresIn })
  tenant.configurations['sd-jwt'] = await sdJwtConfiguration(operated, {
    ...{ vct: undefined, includeStatus: true, includeIssuer: true, expiresIn },
  })
  await publishAutomatically(setting, tenant, operated, trustedLists)
  return tenant
}

/** Creates and activates an authority, as an operator does at the start and when the last one ends soon. */
export async function addAuthority(setting: Setting, tenant: SimulatedTenant, kind: AuthorityKind): Promise<void> {
  const operator = await tenant.operator()
  const make = kind === 'iaca' ? newIaca : newEcosystemCa
  const notAfter = plusMs(setting.clock.now(), tenant.authorityDays[kind] * dayMs).toISOString()
  const created = () => make({ operator }, { notAfter })
  // The signing process may have lost the request.
  const { id, certificatePem } = await created().catch(created)
  tenant.authorities.push({ kind, id, certificate: new X509Certificate(certificatePem) })
}

export const authorityPath = ({ kind, id }: Authority) => `${kind === 'iaca' ? iacas : ecosystemCas}/${id}`

/** Adds a listed participant of each role and configures the automatic publication. */
async function publishAutomatically(
  { clock }: Setting,
  { ecosystem, frequency }: SimulatedTenant,
  operated: { operator: Api },
  trustedLists: TrustedListKind[],
): Promise<void> {
  const credentialId = await newType(operated, ecosystem, { profile: 'mobile', type: mdlType })
  const times = { notBefore: plusMs(clock.now(), -dayMs), notAfter: plusMs(clock.now(), 10_000 * dayMs) }
  for (const role of ['issuer', 'verifier'] as const) {
    const holds = [await newCertificate({ name: `Listed ${role}`, ca: true, ...times })]
    await newListed(operated, ecosystem, role, { name: role, credentialId, holds })
  }
  for (const kind of trustedLists) {
    const { status, body } = await operated.operator.put(`${ecosystem}/${kind}s/configuration`, {
      [`${kind}Provider`]: 'Agency',
      autoPublish: { enabled: true, frequency },
      retention: { keepLast: 30, keepMonthly: true },
    })
    if (status >= 300) throw new Error(`${kind}: ${status} ${JSON.stringify(body)}`)
  }
}

/** A management token is valid for a day. */
const tokenForMs = 20 * hourMs

/** Returns a function that requests a token when the last one is old. */
function operatorAt({ origin, clock }: Setting, host: string, clientId: string, clientSecret: string) {
  let session: { api: Api; at: number } | undefined
  return async (): Promise<Api> => {
    const at = clock.now().getTime()
    if (session && at >= session.at && at - session.at < tokenForMs) return session.api
    const credentials = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' }
    const request = () => createApi(origin, host).post('/oauth/token', credentials)
    let { status, body } = await request()
    // The signing process may have lost the request.
    for (let tries = 1; status >= 500 && tries < 5; tries++) ({ status, body } = await request())
    if (status !== 200) throw new Error(`token: ${status} ${JSON.stringify(body)}`)
    session = { api: createApi(origin, host, body.access_token), at }
    return session.api
  }
}
