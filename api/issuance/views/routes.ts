import type { z } from 'zod'
import type { Writer } from '../../../db/client.ts'
import { hold, holdTenant } from '../../../db/hold.ts'
import {
  countViewUses,
  deleteView,
  findView,
  insertView,
  listViews,
  updateView,
  type ViewContent,
  type ViewRow,
} from '../../../db/repos/issuance/views.ts'
import { views } from '../../../db/tables/issuance/views.ts'
import { changedFieldNames } from '../../../shared/changed-fields.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { normalHost } from '../../../shared/normal-host.ts'
import { enforceQuota } from '../../access/enforce-quota.ts'
import type { Tenant } from '../../access/subjects.ts'
import { forgetTenant } from '../../access/tenant.ts'
import { throughView } from '../../access/views.ts'
import { auditedCrudOf } from '../../audit/audited-crud-of.ts'
import type { Versioned } from '../../http/collection.ts'
import { operators } from '../../http/route.ts'
import { checkView, refuseUsedAudience, requireAlias } from './check-view.ts'
import { IssuerView, NewView, ViewUpdate } from './schemas.ts'

const ofViews: Versioned<ViewRow> = {
  tag: 'Views',
  access: operators('admin', 'issuer', 'managed-issuer'),
  path: '/v1/views',
  id: 'id',
  events: 'OPENID_VIEW',
  view: IssuerView,
  hasVersions: true,
  present: (row, { tenant }) => present(row, tenant),
}

export const viewRoutes = auditedCrudOf(ofViews, {
  name: 'View',
  create: {
    summary: 'Create a view: a further credential issuer of the tenant, with some of its configurations',
    body: NewView,
    unique: ['path'],
    problems: ['conflict'],
    async handle({ tenant, tenantId, body, deps, change }) {
      const createdAt = deps.clock.now()
      const id = newOrderedId(createdAt)
      const host = body.host === undefined ? null : normalHost(body.host, deps.config.publicScheme)
      const row = { ...contentOf(body), path: body.path, host, id, tenantId, createdAt }
      const created = await change(async (tx, record) => {
        await enforceQuota(tx, tenantId, 'views')
        if (host !== null) await requireAlias(tx, deps.config, tenantId, host)
        await checkView(tx, tenant, body)
        await refuseUsedAudience(tx, tenant, throughView(tenant, row))
        const inserted = await insertView(tx, row)
        if (!inserted)
          throw new Problem('conflict', {
            message: 'Another view of the tenant has this path or this host. Choose another one.',
          })
        record(tenantId, { id, path: body.path, ...(host !== null && { host }) })
        return inserted
      })
      forgetTenant(deps, tenantId)
      return created
    },
  },
  list: { summary: 'List the views', rows: listViews },
  retrieve: { summary: 'Retrieve a view', find: findView },
  update: {
    summary: 'Replace the settings of a view. Its path and its host stay. Offers that wallets have stay valid',
    body: ViewUpdate,
    async handle({ tenant, tenantId, id, body, deps, change, requireMatch }) {
      const changed = await change(async (tx, record) => {
        // The settings of the tenant do not change until the view is stored.
        await holdTenant(tx, tenantId)
        const before = await hold(tx, views, tenantId, id)
        if (!before) throw notFound('id', id)
        await requireMatch(before)
        await checkView(tx, tenant, body)
        const after = await updateView(tx, tenantId, id, contentOf(body))
        if (!after) throw notFound('id', id)
        record(tenantId, { id, changed: changedFieldNames(before, after) })
        return after
      })
      forgetTenant(deps, tenantId)
      return changed
    },
  },
  delete: {
    summary: 'Delete a view that no offer and no session needs. Its metadata answer 410',
    problems: ['conflict'],
    async remove(tx, { tenantId, id, deps }) {
      const at = deps.clock.now()
      // The row is deleted before the check. An offer that is being created locks the row, so that the check sees it.
      const isDeleted = await deleteView(tx, tenantId, id, at)
      if (isDeleted) await refuseUsed(tx, tenantId, id, at)
      return isDeleted
    },
    removed: ({ tenantId, deps }) => forgetTenant(deps, tenantId),
  },
})

async function refuseUsed(tx: Writer, tenantId: string, id: string, at: Date): Promise<void> {
  const counts = await countViewUses(tx, tenantId, id, at)
  if (!counts) return
  const { offers, sharedOffers, bulkIssuances, authorizations, sessions } = counts
  const uses = [
    ...[`${offers} pre-authorized offers`, `${sharedOffers} shared offers`],
    `${bulkIssuances} bulk issuances with claim links`,
    ...[`${authorizations} authorizations`, `${sessions} sessions`],
  ].join(', ')
  throw new Problem('conflict', {
    message: `Wallets can still use the view: ${uses}. Delete the offers and bulk issuances, and wait until the sessions have expired.`,
  })
}

/** Returns what a request sets. An absent member is that of the tenant. */
function contentOf({
  name,
  profile,
  configurations,
  displayName,
  walletFamilies,
}: z.infer<typeof ViewUpdate>): ViewContent {
  return { name, profile, configurations, displayName: displayName ?? null, walletFamilies: walletFamilies ?? null }
}

function present(row: ViewRow, tenant: Tenant) {
  const { id, path, host, name, profile, configurations, displayName, walletFamilies, createdAt } = row
  const { issuer } = throughView(tenant, row)
  return {
    ...{ id, path, ...(host !== null && { host }), issuer, name, profile, configurations },
    ...(displayName !== null && { displayName }),
    ...(walletFamilies !== null && { walletFamilies }),
    createdAt: createdAt.toISOString(),
  }
}
