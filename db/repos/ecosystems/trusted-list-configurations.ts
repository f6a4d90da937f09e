import { and, eq, isNotNull, type SQL } from 'drizzle-orm'
import type { TrustedListKind } from '../../../shared/formats/trusted-lists/kinds.ts'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { hold } from '../../hold.ts'
import { trustedListConfigurations as configurations } from '../../tables/ecosystems/trusted-lists.ts'

export type TrustedListConfigurationRow = typeof configurations.$inferSelect
/** One that was not deleted. */
export type TrustedListConfiguration = TrustedListConfigurationRow & { provider: string }
type Content = Pick<
  TrustedListConfigurationRow,
  'provider' | 'autoPublishes' | 'frequency' | 'autoPublishConfiguredAt' | 'keepLast' | 'keepMonthly'
>

/** What says that automatic publication does not fail. */
export const notFailing = { lastFailureAt: null, lastFailureReason: null, failingSince: null, retryAt: null }

/** Undefined when there is none. */
export async function findTrustedListConfiguration(
  db: Reader,
  tenantId: string,
  ecosystemId: string,
  kind: TrustedListKind,
): Promise<TrustedListConfiguration | undefined> {
  const [row] = await db
    .select()
    .from(configurations)
    .where(ofKind(tenantId, ecosystemId, kind))
  return isThere(row) ? row : undefined
}

/** As `hold`; whoever holds it gives the next number. Undefined when there is none. */
export async function holdTrustedListConfiguration(
  tx: Writer,
  tenantId: string,
  ecosystemId: string,
  kind: TrustedListKind,
): Promise<TrustedListConfiguration | undefined> {
  const found = await findTrustedListConfiguration(tx, tenantId, ecosystemId, kind)
  const row = found && (await hold(tx, configurations, tenantId, found.id))
  return isThere(row) ? row : undefined
}

/** `row` is written where the ecosystem never had a configuration of the kind; where it had one, the number goes on. */
export async function upsertTrustedListConfiguration(
  tx: Writer,
  row: Pick<TrustedListConfigurationRow, 'id' | 'tenantId' | 'ecosystemId' | 'kind' | 'createdAt'> & Content,
): Promise<void> {
  const { provider, autoPublishes, frequency, autoPublishConfiguredAt, keepLast, keepMonthly } = row
  const { tenantId, ecosystemId, kind } = configurations
  await tx
    .insert(configurations)
    .values({ ...row, lastNumber: 0 })
    .onConflictDoUpdate({
      target: [tenantId, ecosystemId, kind],
      // What failed is tried anew.
      set: { provider, autoPublishes, frequency, autoPublishConfiguredAt, keepLast, keepMonthly, ...notFailing },
    })
}

/** The row stays for its number. False when there is none. */
export async function deleteTrustedListConfiguration(
  tx: Writer,
  tenantId: string,
  ecosystemId: string,
  kind: TrustedListKind,
): Promise<boolean> {
  const rows = await tx
    .update(configurations)
    .set({
      ...{ provider: null, autoPublishes: false, frequency: null, autoPublishConfiguredAt: null },
      ...{ keepLast: null, keepMonthly: false, ...notFailing },
    })
    .where(and(ofKind(tenantId, ecosystemId, kind), isNotNull(configurations.provider)))
    .returning({ id: configurations.id })
  return rows.length === 1
}

/** Says that a number was given, in a transaction that holds the configuration. What could be published has no pause before it is tried again. */
export async function raiseLastNumber(tx: Writer, tenantId: string, id: string, lastNumber: number): Promise<void> {
  await tx
    .update(configurations)
    .set({ lastNumber, retryAt: null })
    .where(and(inRow(configurations.tenantId, tenantId), eq(configurations.id, id)))
}

function isThere(row: TrustedListConfigurationRow | undefined): row is TrustedListConfiguration {
  return row !== undefined && row.provider !== null
}

function ofKind(tenantId: string, ecosystemId: string, kind: TrustedListKind): SQL | undefined {
  return and(
    eq(configurations.tenantId, tenantId),
    eq(configurations.ecosystemId, ecosystemId),
    eq(configurations.kind, kind),
  )
}
