import type { z } from 'zod'
import { holdTenant } from '../../../db/hold.ts'
import { findTenant, type TenantRow, updateTenant } from '../../../db/repos/tenancy/tenants.ts'
import { defaultSettings } from '../../../db/tables/tenancy/tenants.ts'
import { changedFieldNames } from '../../../shared/changed-fields.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { forgetTenant } from '../../access/tenant.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { named } from '../../http/fields.ts'
import { requireMatch, withTag, withVersion } from '../../http/if-match.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { brandingOf } from '../tenants/branding.ts'
import { TenantUpdate, TenantView } from '../tenants/schemas.ts'

const members = { name: true, branding: true, deferredIssuance: true } as const

/** The settings that an admin of the tenant may change. Security, hosts and limits stay with the platform. */
const OwnSettings = named(
  'OwnSettings',
  'The settings that an admin of the tenant may change',
  TenantView.pick(members),
)
const OwnSettingsUpdate = TenantUpdate.pick(members)

const settings = { tag: 'Tenants', path: '/v1/settings', access: operators('admin'), host: 'tenant' } as const

function present({ name, settings: { branding, deferredIssuance } }: TenantRow): z.infer<typeof OwnSettings> {
  return { name, branding, deferredIssuance }
}

export const ownSettingsRoutes = [
  defineRoute({
    ...settings,
    operation: 'retrieveSettings',
    summary: 'Retrieve the name, the branding and the defaults of the own tenant',
    method: 'GET',
    event: 'SETTINGS_RETRIEVE',
    status: 200,
    response: OwnSettings,
    representations: { etag: 'version' },
    async handle({ tenantId, deps }) {
      const row = await findTenant(deps.db.read, tenantId)
      if (!row) throw notFound('tenantId', tenantId)
      return withVersion(present(row))
    },
  }),
  defineAuditedRoute({
    ...settings,
    operation: 'updateSettings',
    summary:
      'Replace the name, the branding and the defaults of the own tenant. Its other settings stay with the platform',
    method: 'PUT',
    event: 'SETTINGS_UPDATE',
    body: OwnSettingsUpdate,
    status: 200,
    response: OwnSettings,
    problems: ['bad_request', 'precondition_failed'],
    async handle({ tenantId, body, headers, deps, change }) {
      const updated = await change(async (tx, record) => {
        const before = await holdTenant(tx, tenantId)
        if (!before) throw notFound('tenantId', tenantId)
        requireMatch(headers, present(before))
        const branding = brandingOf(body.branding ?? {})
        const deferredIssuance = body.deferredIssuance ?? defaultSettings.deferredIssuance
        const own = { branding, deferredIssuance }
        const name = body.name ?? before.name
        const row = await updateTenant(tx, tenantId, { name, settings: { ...before.settings, ...own } })
        record(tenantId, { id: tenantId, changed: changedFieldNames({ ...present(before) }, { name, ...own }) })
        return row ?? before
      })
      forgetTenant(deps, tenantId)
      return withTag(present(updated))
    },
  }),
]
