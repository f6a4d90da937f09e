import type { Reader, Writer } from '../../../db/client.ts'
import { holdShared } from '../../../db/hold.ts'
import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import { findView, listViews, type ViewRow } from '../../../db/repos/issuance/views.ts'
import { views } from '../../../db/tables/issuance/views.ts'
import type { TenantSettings } from '../../../db/tables/tenancy/tenants.ts'
import { Problem, type ProblemDetail } from '../../../shared/errors/errors.ts'
import { unknownReference } from '../../../shared/errors/unknown-reference.ts'
import type { Tenant } from '../../access/subjects.ts'
import { publishes, throughView } from '../../access/views.ts'
import type { Deps } from '../../deps.ts'
import { findRecentConfiguration } from '../configurations/recent.ts'

/**
 * Returns the tenant as seen through the view that an offer names, or through its default view. Throws `bad_request` for an unknown view.
 */
export async function tenantThrough(
  deps: Deps,
  tenant: Tenant,
  viewId: string | undefined,
  configurationIds: string[],
): Promise<Tenant> {
  if (viewId === undefined) return throughDefaultView(deps, tenant, configurationIds)
  const through = tenant.throughViews.find((each) => each.view?.id === viewId)
  if (through) return through
  // Another process can have made it after this one has read the tenant.
  const view = await findView(deps.db.read, tenant.id, viewId)
  if (!view) throw unknownView(viewId)
  return throughView(tenant, view)
}

async function throughDefaultView(deps: Deps, tenant: Tenant, ids: string[]): Promise<Tenant> {
  if (tenant.settings.defaultView === 'tenant') return tenant
  const offered = await Promise.all(ids.map((id) => findRecentConfiguration(deps, tenant.id, id)))
  // The caller refuses unknown configurations.
  const configurations = offered.filter((configuration) => configuration !== undefined)
  const view = await findDefaultView(deps.db.read, tenant, configurations)
  return view ? throughView(tenant, view) : tenant
}

/** Returns the view of an offer that names none: the oldest that publishes all its configurations, if the tenant has set this. */
export async function findDefaultView(
  db: Reader,
  { id, settings }: { id: string; settings: Pick<TenantSettings, 'defaultView'> },
  offered: Pick<ConfigurationRow, 'id' | 'profile'>[],
): Promise<ViewRow | undefined> {
  if (settings.defaultView === 'tenant') return undefined
  const all = await listViews(db, id, { limit: maxFittingViews })
  return all.find((view) => offered.every((configuration) => publishes(view, configuration)))
}

/** A tenant has 20 views, unless the platform sets another limit. */
const maxFittingViews = 1_000

/**
 * Locks the view of an offer, so that it is not deleted before the offer is stored. Throws `bad_request` that names the configurations
 * that the view does not publish, or an unknown view.
 */
export async function requirePublished(
  tx: Writer,
  tenantId: string,
  viewId: string | null | undefined,
  offered: ConfigurationRow[],
  field = 'credentials',
): Promise<void> {
  if (viewId === null || viewId === undefined) return
  const row = await holdShared(tx, views, tenantId, viewId)
  if (!row) throw unknownView(viewId)
  const msg = 'The view does not publish this configuration. Add it to the view, or name another view.'
  const details = offered.flatMap((configuration, position): ProblemDetail[] =>
    publishes(row, configuration)
      ? []
      : [
          {
            value: configuration.id,
            msg,
            param: field === 'credentials' ? `credentials.${position}` : field,
            location: 'body',
          },
        ],
  )
  if (details.length > 0) throw new Problem('bad_request', { details })
}

function unknownView(viewId: string): Problem {
  return unknownReference('view', viewId, 'GET /v1/views')
}
