import { and, eq, isNotNull, type SQL } from 'drizzle-orm'
import type { ListKind } from '../../../shared/domain/ecosystems/list-kinds.ts'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { hold } from '../../hold.ts'
import { trustedListConfigurations as configurations } from '../../tables/ecosystems/trusted-lists.ts'

export type TrustedListConfigurationRow = typeof configurations.$inferSelect
/** A configuration that is not deleted. */
export type TrustedListConfiguration = TrustedListConfigurationRow & { provider: string }
type Content = Pick<
  TrustedListConfigurationRow,
  'provider' | 'lote' | 'autoPublishes' | 'frequency' | 'autoPublishConfiguredAt' | 'keepLast' | 'keepMonthly'
>

/** The columns of automatic publication without a failure. */
export const notFailing = { lastFailureAt: null, lastFailureReason: null, failingSince: null, retryAt: null }

/** Returns undefined if it does not exist. */
export async function findTrustedListConfiguration(
  db: Reader,
  tenantId: string,
  ecosystemId: string,
  kind: ListKind,
): Promise<TrustedListConfiguration | undefined> {
  const [row] = await db
    .select()
    .from(configurations)
    .where(ofKind(tenantId, ecosystemId, kind))
  return isConfigured(row) ? row : undefined
}

/**
 * Locks and returns a configuration like `hold`. The owner of the lock assigns the next number. Returns undefined if it
 * does not exist.
 */
export async function holdTrustedListConfiguration(
  tx: Writer,
  tenantId: string,
  ecosystemId: string,
  kind: ListKind,
): Promise<TrustedListConfiguration | undefined> {
  const configuration = await findTrustedListConfiguration(tx, tenantId, ecosystemId, kind)
  const row = configuration && (await hold(tx, configurations, tenantId, configuration.id))
  return isConfigured(row) ? row : undefined
}

/** Inserts a configuration. If the ecosystem had one of this kind before, updates it and keeps its number. */
export async function upsertTrustedListConfiguration(
  tx: Writer,
  row: Pick<TrustedListConfigurationRow, 'id' | 'tenantId' | 'ecosystemId' | 'kind' | 'createdAt'> & Content,
): Promise<void> {
  const { provider, lote, autoPublishes, frequency, autoPublishConfiguredAt, keepLast, keepMonthly } = row
  const { tenantId, ecosystemId, kind } = configurations
  await tx
    .insert(configurations)
    .values({ ...row, lastNumber: 0 })
    .onConflictDoUpdate({
      target: [tenantId, ecosystemId, kind],
      // Resets the failures, so that publication is tried again.
      set: { provider, lote, autoPublishes, frequency, autoPublishConfiguredAt, keepLast, keepMonthly, ...notFailing },
    })
}

/** Deletes a configuration, but keeps the row for its number. Returns false if it does not exist. */
export async function deleteTrustedListConfiguration(
  tx: Writer,
  tenantId: string,
  ecosystemId: string,
  kind: ListKind,
): Promise<boolean> {
  const rows = await tx
    .update(configurations)
    .set({
      ...{ provider: null, lote: null, autoPublishes: false, frequency: null, autoPublishConfiguredAt: null },
      ...{ keepLast: null, keepMonthly: false, ...notFailing },
    })
    .where(and(ofKind(tenantId, ecosystemId, kind), isNotNull(configurations.provider)))
    .returning({ id: configurations.id })
  return rows.length === 1
}

/** Stores an assigned number, in a transaction that holds the configuration. Clears the pause after a failure. */
export async function raiseLastNumber(tx: Writer, tenantId: string, id: string, lastNumber: number): Promise<void> {
  await tx
    .update(configurations)
    .set({ lastNumber, retryAt: null })
    .where(and(inRow(configurations.tenantId, tenantId), eq(configurations.id, id)))
}

function isConfigured(row: TrustedListConfigurationRow | undefined): row is TrustedListConfiguration {
  return row !== undefined && row.provider !== null
}

function ofKind(tenantId: string, ecosystemId: string, kind: ListKind): SQL | undefined {
  return and(
    eq(configurations.tenantId, tenantId),
    eq(configurations.ecosystemId, ecosystemId),
    eq(configurations.kind, kind),
  )
}
