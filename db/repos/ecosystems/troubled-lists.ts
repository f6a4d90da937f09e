import { and, asc, eq, getTableColumns, isNotNull, or, sql } from 'drizzle-orm'
import type { ListKind } from '../../../shared/domain/ecosystems/list-kinds.ts'
import type { Reader } from '../../client.ts'
import { ecosystems } from '../../tables/ecosystems/ecosystems.ts'
import { ecosystemIntegrations as integrations } from '../../tables/ecosystems/integrations.ts'
import { trustedListConfigurations as configurations, trustedLists } from '../../tables/ecosystems/trusted-lists.ts'
import { dueSince, isPublicationDue } from './automatic-trusted-lists.ts'
import { type DueIntegrationRow, isFailing } from './due-integrations.ts'
import { nextUpdateOfLast } from './trusted-lists.ts'

export interface TroubledPublication {
  ecosystemId: string
  kind: ListKind
  /** Set while automatic publication fails. */
  failingSince: Date | null
  failure: string | null
  /** The time since which a list is due for automatic publication. Null if none is due. */
  dueSince: Date | null
  /** The `nextUpdate` of the last list. Null before the first list. */
  nextUpdate: Date | null
}

/**
 * Returns the configurations of the tenant's ecosystems whose publication fails, is due, or whose last list has its
 * `nextUpdate` at or before `endsBy`.
 */
export async function findTroubledPublications(
  db: Reader,
  tenantId: string,
  { at, endsBy, limit }: { at: Date; endsBy: Date; limit: number },
): Promise<TroubledPublication[]> {
  const { ecosystemId, autoPublishes, failingSince, provider } = configurations
  const last = nextUpdateOfLast(db)
  const isEnding = sql`(${last}) <= ${sql.param(endsBy, trustedLists.nextUpdate)}`
  const rows = await db
    .select({
      configuration: getTableColumns(configurations),
      nextUpdate: sql<Date | null>`(${last})`.mapWith(trustedLists.nextUpdate).as('next_update_of_last'),
      isDue: sql<unknown>`${isPublicationDue(at)}`.as('is_due'),
    })
    .from(configurations)
    .innerJoin(ecosystems, and(eq(ecosystems.tenantId, configurations.tenantId), eq(ecosystems.id, ecosystemId)))
    .where(
      and(
        eq(configurations.tenantId, tenantId),
        isNotNull(provider),
        or(and(eq(autoPublishes, true), isNotNull(failingSince)), isPublicationDue(at), isEnding),
      ),
    )
    .orderBy(asc(configurations.createdAt), asc(configurations.id))
    .limit(limit)
  return rows.map(({ configuration: row, nextUpdate, isDue: due }) => ({
    ecosystemId: row.ecosystemId,
    kind: row.kind,
    failingSince: row.autoPublishes ? row.failingSince : null,
    failure: row.lastFailureReason,
    dueSince: due ? dueSince(row, at) : null,
    nextUpdate,
  }))
}

/** Returns the integrations of the tenant's ecosystems whose last fetches failed. */
export async function findFailingIntegrations(
  db: Reader,
  tenantId: string,
  limit: number,
): Promise<DueIntegrationRow[]> {
  return db
    .select(getTableColumns(integrations))
    .from(integrations)
    .innerJoin(
      ecosystems,
      and(eq(ecosystems.tenantId, integrations.tenantId), eq(ecosystems.id, integrations.ecosystemId)),
    )
    .where(and(eq(integrations.tenantId, tenantId), eq(integrations.enabled, true), isFailing))
    .orderBy(asc(integrations.createdAt), asc(integrations.id))
    .limit(limit)
}
