import { and, asc, eq, gte, inArray, sql } from 'drizzle-orm'
import { plusMs } from '../../../shared/clock.ts'
import {
  type CredentialProfile,
  type OfProfile,
  profiles,
  type SettingsOf,
  withSettings,
} from '../../../shared/domain/issuance/profiles.ts'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { param, prepared } from '../../engine/prepared.ts'
import { holdShared } from '../../hold.ts'
import type { Cursor } from '../../page.ts'
import { configurations } from '../../tables/issuance/configurations.ts'
import { maxOfferMs, offers } from '../../tables/issuance/offers.ts'
import { sharedOfferConfigurations } from '../../tables/issuance/shared-offers.ts'
import { listPage } from '../list-page.ts'
import { configurationNamesIn } from './configuration-names.ts'
import { isUsable, offersConfiguration } from './offers/listed-offers.ts'

/** A configuration with the settings of its profile. Without a type argument, of any profile. */
export type ConfigurationRow<Profile extends CredentialProfile = CredentialProfile> = OfProfile<
  typeof configurations.$inferSelect,
  Profile
>

export interface ConfigurationContent<Profile extends CredentialProfile> {
  id: string
  profile: Profile
  type: string
  settings: SettingsOf<Profile>
}

const byId = prepared('configuration_by_id', (db) =>
  db
    .select()
    .from(configurations)
    .where(and(inRow(configurations.tenantId, param('tenantId')), eq(configurations.id, param('id')))),
)

/** Finds a configuration of any profile. */
export async function findConfiguration(
  db: Reader,
  tenantId: string,
  id: string,
): Promise<ConfigurationRow | undefined> {
  const [row] = await byId(db, { tenantId, id })
  return row && withSettings(row)
}

/** Finds a configuration and locks it with `holdShared`, before a write of rows that refer to it. */
export async function holdConfiguration(
  tx: Writer,
  tenantId: string,
  id: string,
): Promise<ConfigurationRow | undefined> {
  const row = await holdShared(tx, configurations, tenantId, id)
  return row && withSettings(row)
}

/** Returns all configurations of the tenant, oldest first. */
export async function findAllConfigurations(db: Reader, tenantId: string): Promise<ConfigurationRow[]> {
  const rows = await db
    .select()
    .from(configurations)
    .where(eq(configurations.tenantId, tenantId))
    .orderBy(asc(configurations.createdAt), asc(configurations.id))
  return rows.map((row) => withSettings(row))
}

/** The columns that decide the scope of a configuration. */
export type ConfigurationType = Pick<typeof configurations.$inferSelect, 'id' | 'profile' | 'type' | 'scope'>

const typeColumns = {
  id: configurations.id,
  profile: configurations.profile,
  type: configurations.type,
  scope: configurations.scope,
}

/** Returns id, profile, type and scope of all configurations of the tenant, oldest first. */
export async function findConfigurationTypes(db: Reader, tenantId: string): Promise<ConfigurationType[]> {
  return db
    .select(typeColumns)
    .from(configurations)
    .where(eq(configurations.tenantId, tenantId))
    .orderBy(asc(configurations.createdAt), asc(configurations.id))
}

const named = { ...typeColumns, createdAt: configurations.createdAt }

/** The columns that decide which configuration a scope names. */
export type NamedConfiguration = ConfigurationType & Pick<typeof configurations.$inferSelect, 'createdAt'>

/** Returns the id of the oldest configuration of each type, in no order. One statement with one index lookup per type. */
export async function findOldestOfTypes(
  db: Reader,
  tenantId: string,
  types: readonly Pick<ConfigurationType, 'profile' | 'type'>[],
): Promise<string[]> {
  if (types.length === 0) return []
  const requested = types.map(({ profile, type }) => sql`(${profile}, ${type})`)
  const oldest = db
    .select({ id: configurations.id })
    .from(configurations)
    .where(
      and(
        eq(configurations.tenantId, tenantId),
        // Both databases give the columns of VALUES these names.
        eq(configurations.profile, sql`requested.column1`),
        eq(configurations.type, sql`requested.column2`),
      ),
    )
    .orderBy(asc(configurations.createdAt), asc(configurations.id))
    .limit(1)
  const rows = await db
    .select({ id: sql<string | null>`(${oldest})`.as('id') })
    .from(sql`(values ${sql.join(requested, sql`, `)}) as requested`)
  return rows.flatMap(({ id }) => id ?? [])
}

/** Returns the ids of the configurations whose operator has chosen one of these scopes, in no order. */
export async function findIdsByScope(db: Reader, tenantId: string, scopes: readonly string[]): Promise<string[]> {
  if (scopes.length === 0) return []
  const rows = await db
    .select({ id: configurations.id })
    .from(configurations)
    .where(and(eq(configurations.tenantId, tenantId), inArray(configurations.scope, [...scopes])))
  return rows.map(({ id }) => id)
}

/** Returns the configurations of `ids` that exist, in no order. */
export async function findNamedConfigurations(
  db: Reader,
  tenantId: string,
  ids: readonly string[],
): Promise<NamedConfiguration[]> {
  if (ids.length === 0) return []
  return db
    .select(named)
    .from(configurations)
    .where(and(inRow(configurations.tenantId, tenantId), inArray(configurations.id, [...ids])))
}

export async function listConfigurations(
  db: Reader,
  tenantId: string,
  profile: CredentialProfile,
  { type, ...page }: { limit: number; cursor?: Cursor | undefined; type?: string | undefined },
): Promise<ConfigurationRow[]> {
  const ofType = type === undefined ? undefined : eq(configurations.type, type)
  const rows = await listPage(db, configurations, tenantId, page, and(eq(configurations.profile, profile), ofType))
  return rows.map((row) => withSettings(row))
}

/** Lists configurations of all profiles or of one, oldest first. A tenant has at most 1,000 unless its limit is raised. */
export async function listAllConfigurations(
  db: Reader,
  tenantId: string,
  { profile, ...page }: { limit: number; cursor?: Cursor | undefined; profile?: CredentialProfile | undefined },
): Promise<ConfigurationRow[]> {
  const ofProfile = profile === undefined ? undefined : eq(configurations.profile, profile)
  const rows = await listPage(db, configurations, tenantId, page, ofProfile)
  return rows.map((row) => withSettings(row))
}

/** Returns undefined if the type or the scope is taken. */
export async function insertConfiguration<Profile extends CredentialProfile>(
  tx: Writer,
  tenantId: string,
  configuration: ConfigurationContent<Profile>,
  at: Date,
): Promise<ConfigurationRow | undefined> {
  const [row] = await tx
    .insert(configurations)
    .values({ tenantId, ...configuration, ...derivedColumnsOf(configuration), createdAt: at })
    .onConflictDoNothing()
    .returning()
  return row && withSettings(row)
}

/** Replaces type and settings. Returns undefined if no configuration has this id and profile. Throws if the type or the scope is taken. */
export async function updateConfiguration<Profile extends CredentialProfile>(
  tx: Writer,
  tenantId: string,
  configuration: ConfigurationContent<Profile>,
): Promise<ConfigurationRow | undefined> {
  const { id, profile, type, settings } = configuration
  const [row] = await tx
    .update(configurations)
    .set({ type, settings, ...derivedColumnsOf(configuration) })
    .where(
      and(inRow(configurations.tenantId, tenantId), eq(configurations.id, id), eq(configurations.profile, profile)),
    )
    .returning()
  return row && withSettings(row)
}

/** Returns false if the configuration of this profile does not exist. */
export async function deleteConfiguration(
  tx: Writer,
  tenantId: string,
  id: string,
  profile: CredentialProfile,
): Promise<boolean> {
  const rows = await tx
    .delete(configurations)
    .where(
      and(inRow(configurations.tenantId, tenantId), eq(configurations.id, id), eq(configurations.profile, profile)),
    )
    .returning({ id: configurations.id })
  return rows.length === 1
}

/**
 * Returns true if a usable pre-authorized offer names the configuration. The database examines the tenant's offers of
 * the last ten minutes, because a deletion is rare and an index would add a row for each offer.
 */
export async function isOffered(db: Reader, tenantId: string, configurationId: string, at: Date): Promise<boolean> {
  const usable = await db
    .select({ id: offers.id })
    .from(offers)
    .where(
      and(
        eq(offers.tenantId, tenantId),
        gte(offers.createdAt, plusMs(at, -maxOfferMs)),
        ...isUsable(at),
        offersConfiguration(configurationId),
      ),
    )
    .limit(1)
  return usable.length > 0
}

/** Returns true if a shared offer names the configuration. */
export async function isShared(db: Reader, tenantId: string, configurationId: string): Promise<boolean> {
  const rows = await db
    .select({ offerId: sharedOfferConfigurations.offerId })
    .from(sharedOfferConfigurations)
    .where(
      and(
        eq(sharedOfferConfigurations.tenantId, tenantId),
        eq(sharedOfferConfigurations.configurationId, configurationId),
      ),
    )
    .limit(1)
  return rows.length > 0
}

/** Returns the columns that follow from the settings. The unique type is null for a profile whose types may repeat. */
function derivedColumnsOf<Profile extends CredentialProfile>({
  profile,
  type,
  settings,
}: ConfigurationContent<Profile>): Pick<typeof configurations.$inferInsert, 'names' | 'uniqueType' | 'scope'> {
  return {
    names: configurationNamesIn(settings),
    uniqueType: profiles[profile].hasUniqueTypes ? type : null,
    scope: settings.scope ?? null,
  }
}
