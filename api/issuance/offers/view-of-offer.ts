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

/** The view of an offer was deleted, or does not publish its configurations. */
class ViewRefused extends Problem {}

/** The default view can change as often while an offer is made. */
const maxDefaultViews = 3

/**
 * Makes an offer of the view that it names, or of its default view. If the default view is deleted or changed meanwhile, makes the offer of the
 * next one. Throws `bad_request` for an unknown view.
 */
export async function withViewOfOffer<Made>(
  deps: Deps,
  tenant: Tenant,
  { view, credentials }: { view?: string | undefined; credentials: string[] },
  make: (through: Tenant) => Promise<Made>,
): Promise<Made> {
  if (view !== undefined) return make(await throughNamedView(deps, tenant, view))
  for (let attempt = 0; attempt < maxDefaultViews; attempt++)
    try {
      return await make(await throughDefaultView(deps, tenant, credentials))
    } catch (error) {
      if (!(error instanceof ViewRefused)) throw error
    }
  return make(tenant)
}

async function throughNamedView(deps: Deps, tenant: Tenant, viewId: string): Promise<Tenant> {
  const through = tenant.throughViews.find((each) => each.view?.id === viewId)
  if (through) return through
  // Another process can have made it after this one has read the tenant.
  const view = await findView(deps.db.read, tenant.id, viewId)
  if (!view) throw unknownView(viewId)
  return throughView(tenant, view)
}

async function throughDefaultView(deps: Deps, tenant: Tenant, ids: string[]): Promise<Tenant> {
  if (tenant.settings.defaultView === 'tenant') return tenant
  const offered = await Promise.all([...new Set(ids)].map((id) => findRecentConfiguration(deps, tenant.id, id)))
  // The caller refuses unknown configurations.
  const configurations = offered.filter((configuration) => configuration !== undefined)
  const [view] = await findFittingViews(deps.db.read, tenant, configurations)
  return view ? throughView(tenant, view) : tenant
}

/**
 * Returns the view of an offer that names none: the oldest that publishes all its configurations, if the tenant has set this. Locks it, so that
 * it is not deleted before the offer is stored.
 */
export async function holdDefaultView(tx: Writer, tenant: DefaultView, offered: Offered): Promise<ViewRow | undefined> {
  for (const { id } of await findFittingViews(tx, tenant, offered)) {
    const view = await holdShared(tx, views, tenant.id, id)
    if (view && fits(view, offered)) return view
  }
  return undefined
}

type Offered = Pick<ConfigurationRow, 'id' | 'profile'>[]
type DefaultView = { id: string; settings: Pick<TenantSettings, 'defaultView'> }

async function findFittingViews(db: Reader, { id, settings }: DefaultView, offered: Offered): Promise<ViewRow[]> {
  if (settings.defaultView === 'tenant') return []
  const all = await listViews(db, id, { limit: maxFittingViews })
  return all.filter((view) => fits(view, offered))
}

function fits(view: ViewRow, offered: Offered): boolean {
  return offered.every((configuration) => publishes(view, configuration))
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
  if (details.length > 0) throw new ViewRefused('bad_request', { details })
}

function unknownView(viewId: string): Problem {
  const { details = [] } = unknownReference('view', viewId, 'GET /v1/views')
  return new ViewRefused('bad_request', { details })
}
