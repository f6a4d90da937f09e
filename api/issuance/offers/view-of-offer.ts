import type { Writer } from '../../../db/client.ts'
import { holdShared } from '../../../db/hold.ts'
import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import { findView } from '../../../db/repos/issuance/views.ts'
import { views } from '../../../db/tables/issuance/views.ts'
import { Problem, type ProblemDetail } from '../../../shared/errors/errors.ts'
import { unknownReference } from '../../../shared/errors/unknown-reference.ts'
import type { Tenant } from '../../access/subjects.ts'
import { publishes, throughView } from '../../access/views.ts'
import type { Deps } from '../../deps.ts'

/** Returns the tenant as seen through the view that an offer names. Throws `bad_request` for an unknown view. */
export async function tenantThrough({ db }: Deps, tenant: Tenant, viewId: string | undefined): Promise<Tenant> {
  if (viewId === undefined) return tenant
  const view = await findView(db.read, tenant.id, viewId)
  if (!view) throw unknownView(viewId)
  return throughView(tenant, view)
}

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
