import { and, desc, eq } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { sdJwtTypes } from '../../tables/issuance/sd-jwt-types.ts'

export type SdJwtTypeRow = typeof sdJwtTypes.$inferSelect

/** Returns one version of the type metadata of a configuration. */
export async function findSdJwtType(
  db: Reader,
  tenantId: string,
  configurationId: string,
  version: number,
): Promise<SdJwtTypeRow | undefined> {
  const [row] = await db
    .select()
    .from(sdJwtTypes)
    .where(
      and(
        inRow(sdJwtTypes.tenantId, tenantId),
        eq(sdJwtTypes.configurationId, configurationId),
        eq(sdJwtTypes.version, version),
      ),
    )
  return row
}

/** Returns the newest version. The caller holds the configuration. */
export async function findNewestSdJwtType(
  tx: Writer,
  tenantId: string,
  configurationId: string,
): Promise<SdJwtTypeRow | undefined> {
  const [row] = await tx
    .select()
    .from(sdJwtTypes)
    .where(and(inRow(sdJwtTypes.tenantId, tenantId), eq(sdJwtTypes.configurationId, configurationId)))
    .orderBy(desc(sdJwtTypes.version))
    .limit(1)
  return row
}

export async function insertSdJwtType(tx: Writer, row: SdJwtTypeRow): Promise<void> {
  await tx.insert(sdJwtTypes).values(row)
}
