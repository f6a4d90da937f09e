import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { newId } from '../../shared/ids.ts'
import type { Reader, Writer } from '../client.ts'
import { afterCursor, type Cursor } from '../page.ts'
import { type ConfigurationSettings, type CredentialProfile, configurations } from '../tables/configurations.ts'
import { offerConfigurations, offers } from '../tables/offers.ts'

export type ConfigurationRow = typeof configurations.$inferSelect

export interface NewConfiguration {
  profile: CredentialProfile
  type: string
  settings: ConfigurationSettings
}

/** A configuration of any profile. */
export async function findConfiguration(
  db: Reader,
  tenantId: string,
  id: string,
): Promise<ConfigurationRow | undefined> {
  const [row] = await findConfigurations(db, tenantId, [id])
  return row
}

/** Those of `ids` that exist, of any profile, in no particular order. */
export async function findConfigurations(db: Reader, tenantId: string, ids: string[]): Promise<ConfigurationRow[]> {
  if (ids.length === 0) return []
  return db
    .select()
    .from(configurations)
    .where(and(eq(configurations.tenantId, tenantId), inArray(configurations.id, ids)))
}

/** Every configuration of the tenant, of all profiles, oldest first. */
export async function findAllConfigurations(db: Reader, tenantId: string): Promise<ConfigurationRow[]> {
  return db
    .select()
    .from(configurations)
    .where(eq(configurations.tenantId, tenantId))
    .orderBy(asc(configurations.createdAt), asc(configurations.id))
}

export async function listConfigurations(
  db: Reader,
  tenantId: string,
  profile: CredentialProfile,
  { limit, cursor, type }: { limit: number; cursor?: Cursor | undefined; type?: string | undefined },
): Promise<ConfigurationRow[]> {
  return db
    .select()
    .from(configurations)
    .where(
      and(
        eq(configurations.tenantId, tenantId),
        eq(configurations.profile, profile),
        type === undefined ? undefined : eq(configurations.type, type),
        afterCursor(configurations.createdAt, configurations.id, cursor),
      ),
    )
    .orderBy(asc(configurations.createdAt), asc(configurations.id))
    .limit(limit + 1)
}

/** Undefined when the type is taken. */
export async function insertConfiguration(
  tx: Writer,
  tenantId: string,
  configuration: NewConfiguration,
  at: Date,
): Promise<ConfigurationRow | undefined> {
  const [row] = await tx
    .insert(configurations)
    .values({ id: newId(), tenantId, ...configuration, uniqueType: uniqueTypeOf(configuration), createdAt: at })
    .onConflictDoNothing()
    .returning()
  return row
}

/** The id of the configuration that has the type of `configuration` to itself, if one does. */
export async function findByUniqueType(
  db: Reader,
  tenantId: string,
  configuration: Pick<NewConfiguration, 'profile' | 'type'>,
): Promise<string | undefined> {
  const uniqueType = uniqueTypeOf(configuration)
  if (uniqueType === null) return undefined
  const [row] = await db
    .select({ id: configurations.id })
    .from(configurations)
    .where(and(eq(configurations.tenantId, tenantId), eq(configurations.uniqueType, uniqueType)))
  return row?.id
}

/** Replaces type and settings. Undefined when there is no such configuration of this profile. */
export async function updateConfiguration(
  tx: Writer,
  tenantId: string,
  id: string,
  configuration: NewConfiguration,
): Promise<ConfigurationRow | undefined> {
  const { profile, type, settings } = configuration
  const [row] = await tx
    .update(configurations)
    .set({ type, settings, uniqueType: uniqueTypeOf(configuration) })
    .where(and(eq(configurations.tenantId, tenantId), eq(configurations.id, id), eq(configurations.profile, profile)))
    .returning()
  return row
}

/** False when there is no such configuration of this profile. */
export async function deleteConfiguration(
  tx: Writer,
  tenantId: string,
  id: string,
  profile: CredentialProfile,
): Promise<boolean> {
  const rows = await tx
    .delete(configurations)
    .where(and(eq(configurations.tenantId, tenantId), eq(configurations.id, id), eq(configurations.profile, profile)))
    .returning({ id: configurations.id })
  return rows.length === 1
}

/** Whether an offer that a wallet can still use names the configuration. */
export async function isOffered(db: Reader, tenantId: string, configurationId: string, at: Date): Promise<boolean> {
  const rows = await db
    .select({ id: offers.id })
    .from(offerConfigurations)
    .innerJoin(offers, and(eq(offers.id, offerConfigurations.offerId), eq(offers.state, 'usable')))
    .where(
      and(
        eq(offerConfigurations.tenantId, tenantId),
        eq(offerConfigurations.configurationId, configurationId),
        gt(offerConfigurations.expiresAt, at),
      ),
    )
    .limit(1)
  return rows.length === 1
}

/** The two CWT profiles share one space of types. */
function uniqueTypeOf({ profile, type }: Pick<NewConfiguration, 'profile' | 'type'>): string | null {
  return profile === 'compact' || profile === 'compact-semantic' ? type : null
}
