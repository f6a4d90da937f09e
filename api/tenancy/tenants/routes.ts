import { z } from 'zod'
import type { Reader } from '../../../db/client.ts'
import { holdTenant } from '../../../db/hold.ts'
import type { CertificateRow } from '../../../db/repos/certificates/certificates.ts'
import { resignSuspendableLists } from '../../../db/repos/status/publishing.ts'
import {
  deleteHosts,
  deleteTenant,
  findHosts,
  findTenant,
  listTenants,
  type TenantRow,
  updateTenant,
} from '../../../db/repos/tenancy/tenants.ts'
import { defaultSettings, isServed, type TenantSettings } from '../../../db/tables/tenancy/tenants.ts'
import { changedFieldNames } from '../../../shared/changed-fields.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { forgetTenant, refuseMoving, toTenant } from '../../access/tenant.ts'
import { replaceAudited } from '../../audit/audited-crud.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import type { Deps } from '../../deps.ts'
import type { Versioned } from '../../http/collection.ts'
import { listOf, retrieve } from '../../http/crud.ts'
import { idOf } from '../../http/fields.ts'
import { requireMatch } from '../../http/if-match.ts'
import { operators } from '../../http/route.ts'
import { presentClient } from '../clients/present.ts'
import { refuseUsedRoles } from '../roles/known-roles.ts'
import { brandingOf } from './branding.ts'
import { type CreatedTenant, completeTenant, createTenant, takeHosts } from './create.ts'
import { moveRoutes } from './move-routes.ts'
import { refuseHostsOfViews, refuseProfileConflicts, refuseViewConflicts } from './profile-conflicts.ts'
import { CreatedTenantView, TenantRequest, TenantUpdate, TenantView } from './schemas.ts'
import { refuseWeakenedKeys } from './weakened-keys.ts'

const tenants: Versioned<TenantRow> = {
  tag: 'Tenants',
  access: operators('platform'),
  host: 'platform',
  path: '/v1/tenants',
  id: 'tenantId',
  events: 'TENANT',
  view: TenantView,
  hasVersions: true,
  present: (row, { deps }) => present(deps, row),
}

/** Returns the tenant if it answers requests and is not the platform. */
function servedTenant(tenant: TenantRow | undefined): TenantRow | undefined {
  return tenant?.kind === 'tenant' && isServed(tenant) ? tenant : undefined
}

async function present(deps: Deps, row: TenantRow, db: Reader = deps.db.read) {
  const { baseUrl, isReadOnly } = toTenant(row, deps.config)
  const own = `${row.subdomain}.${deps.config.platformDomain}`
  const aliases = (await findHosts(db, row.id)).filter((host) => host !== own).sort()
  return {
    id: row.id,
    name: row.name,
    subdomain: row.subdomain,
    aliases,
    baseUrl,
    did: row.did,
    isReadOnly,
    ...row.settings,
  }
}

function presentRoot({ id, subject: { commonName, country }, notAfter }: CertificateRow) {
  return { id, commonName, country, notAfter: notAfter?.toISOString() ?? '' }
}

/** Removes undefined members, as `exactOptionalPropertyTypes` requires. */
function withoutUndefined<Given extends object>(
  members: Given,
): { [Name in keyof Given]: Exclude<Given[Name], undefined> } {
  // Boundary: TypeScript does not infer the filtered type.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never
}

type SentSettings = Omit<z.infer<typeof TenantUpdate>, 'name' | 'aliases'>

/** Returns the settings that the body contains. Undefined and null are not settings. */
function givenSettings(body: SentSettings): Partial<TenantSettings> {
  const { statusListFormat, profile, encryption, deferredIssuance, publicClients, branding, keyAttestationRoots } = body
  const { limits, keyRotation, keys, maxCredentialsPerSession, lockManagedObjects, testWallet, roles } = body
  const { suspensionMaxAgeSeconds, reviewBeforeSignIn, walletFamilies, defaultView } = body
  return {
    ...(statusListFormat && { statusListFormat }),
    ...(profile && { profile }),
    ...(encryption && { encryption }),
    ...(deferredIssuance && { deferredIssuance }),
    ...(typeof maxCredentialsPerSession === 'number' && { maxCredentialsPerSession }),
    ...(typeof suspensionMaxAgeSeconds === 'number' && { suspensionMaxAgeSeconds }),
    ...(publicClients !== undefined && { publicClients }),
    ...(typeof reviewBeforeSignIn === 'boolean' && { reviewBeforeSignIn }),
    ...(keyAttestationRoots && { keyAttestationRoots }),
    ...(branding && { branding: brandingOf(branding) }),
    ...(limits && { limits: withoutUndefined(limits) }),
    ...(keyRotation && { keyRotation: withoutUndefined(keyRotation) }),
    ...(keys && { keys: withoutUndefined(keys) }),
    ...(roles && { roles }),
    ...(typeof lockManagedObjects === 'boolean' && { lockManagedObjects }),
    ...(testWallet !== undefined && { testWallet }),
    ...(walletFamilies && { walletFamilies }),
    ...(defaultView && { defaultView }),
  }
}

/**
 * Returns the given settings and the defaults of the others. Keeps the status list format, the approvals, settings of newer versions,
 * and settings that make the tenant stricter and are not in the body.
 */
function replacedSettings(before: TenantSettings, body: SentSettings): TenantSettings {
  const { statusListFormat, approvals } = before
  const kept = strictSettings.flatMap((name) => (body[name] === undefined ? [[name, before[name]]] : []))
  const settings: TenantSettings = {
    ...{ ...before, ...defaultSettings, statusListFormat, approvals },
    ...Object.fromEntries(kept),
    ...givenSettings(body),
  }
  return { ...settings, encryption: { ...before.encryption, ...settings.encryption } }
}

/** The members of `TenantUpdate` that are `kept`. */
const strictSettings = [
  'profile',
  'encryption',
  'maxCredentialsPerSession',
  'suspensionMaxAgeSeconds',
  'reviewBeforeSignIn',
  'keyAttestationRoots',
  'keyRotation',
  'keys',
  'lockManagedObjects',
  'limits',
  'roles',
  'walletFamilies',
  'defaultView',
] as const

export const tenantRoutes = [
  defineAuditedRoute({
    operation: 'createTenant',
    summary: 'Create a tenant with its keys and an admin client',
    tag: tenants.tag,
    method: 'POST',
    path: '/v1/tenants',
    host: 'platform',
    access: tenants.access,
    event: 'TENANT_CREATE',
    body: TenantRequest,
    status: 201,
    response: CreatedTenantView,
    problems: ['bad_request', 'conflict', 'service_unavailable'],
    completeEarlier: (call, data) => completeTenant(call, CreatedTenantView.parse(data).id),
    async handle({ body, deps, change, commitAnswer }) {
      const { name, subdomain, aliases, createRoot, country } = body
      const settings = givenSettings(body)
      refuseProfileConflicts({ ...defaultSettings, ...settings })
      refuseWeakenedKeys({ ...defaultSettings, ...settings }, deps.config.keyPolicy)
      const root = createRoot && country !== undefined && { root: { country } }
      const request = { kind: 'tenant' as const, name, subdomain, aliases, settings, ...root }
      const view = async ({ tenant, client, clientSecret, root }: CreatedTenant, db: Reader) => ({
        ...(await present(deps, tenant, db)),
        client: { ...presentClient(client, tenant.settings.roles), clientSecret },
        ...(root && { root: presentRoot(root) }),
      })
      const created = await createTenant(deps, request, (work) =>
        change(async (tx, record) => {
          const made = await work(tx, record)
          await commitAnswer(tx, await view(made, tx))
          return made
        }),
      )
      return view(created, deps.db.read)
    },
  }),
  listOf(tenants, {
    operation: 'retrieveTenants',
    summary: 'List the tenants',
    rows: ({ query, deps }) => listTenants(deps.db.read, query.limit, query.cursor),
  }),
  retrieve(
    { ...tenants, access: operators('admin', 'platform'), host: 'either' },
    {
      operation: 'retrieveTenant',
      summary:
        'Retrieve a tenant. On the platform host this can be any tenant, otherwise it must be the tenant of the host',
      find: async ({ tenant: caller, id, deps }) =>
        caller.kind === 'platform' || caller.id === id ? servedTenant(await findTenant(deps.db.read, id)) : undefined,
    },
  ),
  replaceAudited(tenants, {
    operation: 'updateTenant',
    summary: 'Replace the settings of a tenant',
    body: TenantUpdate,
    problems: ['conflict'],
    async handle({ tenantId: platformId, id, body, headers, deps, change }) {
      const updated = await change(async (tx, record) => {
        const tenant = servedTenant(await holdTenant(tx, id))
        if (!tenant) throw notFound('tenantId', id)
        refuseMoving(tenant)
        requireMatch(headers, await present(deps, tenant, tx))
        const settings = replacedSettings(tenant.settings, body)
        refuseProfileConflicts(settings)
        await refuseViewConflicts(tx, tenant.id, settings)
        refuseWeakenedKeys(settings, deps.config.keyPolicy)
        await refuseUsedRoles(tx, tenant, settings.roles)
        const row = await updateTenant(tx, tenant.id, { name: body.name ?? tenant.name, settings })
        if (settings.suspensionMaxAgeSeconds !== tenant.settings.suspensionMaxAgeSeconds)
          await resignSuspendableLists(tx, tenant.id, deps.clock.now())
        if (body.aliases) {
          await deleteHosts(tx, tenant.id)
          const hosts = await takeHosts(tx, deps.config, tenant, body.aliases)
          await refuseHostsOfViews(tx, tenant.id, hosts)
        }
        const changed = changedFieldNames({ ...tenant, ...tenant.settings }, { ...body, ...settings })
        for (const chain of [platformId, tenant.id]) record(chain, { id: tenant.id, changed })
        return row ?? tenant
      })
      forgetTenant(deps, updated.id)
      return updated
    },
  }),
  defineAuditedRoute({
    operation: 'deleteTenant',
    summary: 'Delete a tenant and everything it owns',
    tag: tenants.tag,
    method: 'DELETE',
    path: '/v1/tenants/:tenantId',
    host: 'platform',
    access: tenants.access,
    event: 'TENANT_DELETE',
    params: z.object({ tenantId: idOf('tenant') }),
    status: 204,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId: platformId, params, deps, change }) {
      await change(async (tx, record) => {
        const deleted = await deleteTenant(tx, params.tenantId, deps.clock.now())
        if (!deleted) throw notFound('tenantId', params.tenantId)
        record(platformId, { id: params.tenantId, ...deleted })
      })
      forgetTenant(deps, params.tenantId)
      deps.bus.poke()
    },
  }),
  ...moveRoutes,
]
