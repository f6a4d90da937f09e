import { holdTenant } from '../../../db/hold.ts'
import { findTenant, updateTenant } from '../../../db/repos/tenancy/tenants.ts'
import { defaultSettings } from '../../../db/tables/tenancy/tenants.ts'
import { changedFieldNames } from '../../../shared/changed-fields.ts'
import { needsFewerApprovals } from '../../../shared/domain/tenancy/approvals.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import { forgetTenant } from '../../access/tenant.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { requireMatch, withTag, withVersion } from '../../http/if-match.ts'
import { afterPut } from '../../http/kept.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { refuseUsedRoles } from '../roles/known-roles.ts'
import { brandingOf } from '../tenants/branding.ts'
import { presentSettings } from './present.ts'
import { OwnSettings, OwnSettingsUpdate } from './schemas.ts'

const settings = { tag: 'Tenants', path: '/v1/settings', access: operators('admin'), host: 'tenant' } as const

export const ownSettingsRoutes = [
  defineRoute({
    ...settings,
    operation: 'retrieveSettings',
    summary: 'Retrieve the name, the branding, the defaults and the roles of the own tenant',
    method: 'GET',
    event: 'SETTINGS_RETRIEVE',
    status: 200,
    response: OwnSettings,
    representations: { etag: 'version' },
    async handle({ tenantId, deps }) {
      const row = await findTenant(deps.db.read, tenantId)
      if (!row) throw notFound('tenantId', tenantId)
      return withVersion(presentSettings(row))
    },
  }),
  defineAuditedRoute({
    ...settings,
    operation: 'updateSettings',
    summary:
      'Replace the name, the branding, the defaults and the roles of the own tenant. Its other settings stay with the platform',
    method: 'PUT',
    event: 'SETTINGS_UPDATE',
    body: OwnSettingsUpdate,
    status: 200,
    response: OwnSettings,
    problems: ['bad_request', 'precondition_failed', 'conflict'],
    async handle({ tenantId, body, headers, deps, change }) {
      const updated = await change(async (tx, record) => {
        const before = await holdTenant(tx, tenantId)
        if (!before) throw notFound('tenantId', tenantId)
        requireMatch(headers, presentSettings(before))
        const branding = brandingOf(body.branding ?? {})
        const deferredIssuance = body.deferredIssuance ?? defaultSettings.deferredIssuance
        const approvals = afterPut(body.approvals, before.settings.approvals, {})
        if (needsFewerApprovals(before.settings.approvals, approvals) && deps.approvalId === undefined)
          throw unapproved()
        const roles = afterPut(body.roles, before.settings.roles, defaultSettings.roles)
        await refuseUsedRoles(tx, before, roles)
        const walletFamilies = afterPut(body.walletFamilies, before.settings.walletFamilies, [])
        const defaultView = afterPut(body.defaultView, before.settings.defaultView, defaultSettings.defaultView)
        const own = { branding, deferredIssuance, approvals, roles, walletFamilies, defaultView }
        const name = body.name ?? before.name
        const row = await updateTenant(tx, tenantId, { name, settings: { ...before.settings, ...own } })
        record(tenantId, { id: tenantId, changed: changedFieldNames({ ...presentSettings(before) }, { name, ...own }) })
        return row ?? before
      })
      forgetTenant(deps, tenantId)
      return withTag(presentSettings(updated))
    },
  }),
]

/** The check before the handler (api/approvals) reads the settings earlier, and configuration files do not have it. */
function unapproved(): Problem {
  const message =
    'Fewer requests would need an approval. Send the request to PUT /v1/settings, so that it can be approved.'
  return new Problem('conflict', { message })
}
