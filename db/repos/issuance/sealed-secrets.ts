import { and, asc, eq, gt, isNotNull, like, type SQL, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { consoleProviders } from '../../tables/console/providers.ts'
import { claimLinks } from '../../tables/issuance/claim-links.ts'
import { claimSources } from '../../tables/issuance/claim-sources.ts'
import { interactionHooks } from '../../tables/issuance/interaction-hooks.ts'
import { issuances } from '../../tables/issuance/issuances.ts'
import { authenticationProviders } from '../../tables/issuance/sign-in-providers.ts'

/** A secret that a tenant shares with another service, sealed under `SERVICE_SECRET`. */
export interface SealedSecret {
  tenantId: string
  /** The id of the row. The only hook of a tenant has the id of the tenant. */
  id: string
  sealed: string
}

/** Access to the secrets of one kind of all tenants. */
export interface SealedSecrets {
  /** Returns secrets in the order of their ids, after an id. */
  find(db: Reader, after: string, limit: number): Promise<SealedSecret[]>
  /** Replaces a secret if it has not changed. */
  replace(tx: Writer, secret: SealedSecret, resealed: string): Promise<void>
}

export const providerSecrets: SealedSecrets = {
  find(db, after, limit) {
    const { tenantId, id, sealedClientSecret: sealed } = authenticationProviders
    return db
      .select({ tenantId, id, sealed })
      .from(authenticationProviders)
      .where(gt(id, after))
      .orderBy(asc(id))
      .limit(limit)
  },
  async replace(tx, { tenantId, id, sealed }, sealedClientSecret) {
    const isSame = eq(authenticationProviders.sealedClientSecret, sealed)
    const row = and(eq(authenticationProviders.tenantId, tenantId), eq(authenticationProviders.id, id))
    await tx.update(authenticationProviders).set({ sealedClientSecret }).where(and(row, isSame))
  },
}

export const consoleProviderSecrets: SealedSecrets = {
  find(db, after, limit) {
    const { tenantId, id, sealedClientSecret: sealed } = consoleProviders
    return db.select({ tenantId, id, sealed }).from(consoleProviders).where(gt(id, after)).orderBy(asc(id)).limit(limit)
  },
  async replace(tx, { tenantId, id, sealed }, sealedClientSecret) {
    const isSame = eq(consoleProviders.sealedClientSecret, sealed)
    const row = and(eq(consoleProviders.tenantId, tenantId), eq(consoleProviders.id, id))
    await tx.update(consoleProviders).set({ sealedClientSecret }).where(and(row, isSame))
  },
}

export const claimSourceSecrets: SealedSecrets = {
  find(db, after, limit) {
    const { tenantId, id, sealedAuthorization: sealed } = claimSources
    return db.select({ tenantId, id, sealed }).from(claimSources).where(gt(id, after)).orderBy(asc(id)).limit(limit)
  },
  async replace(tx, { tenantId, id, sealed }, sealedAuthorization) {
    const isSame = eq(claimSources.sealedAuthorization, sealed)
    const row = and(eq(claimSources.tenantId, tenantId), eq(claimSources.id, id))
    await tx.update(claimSources).set({ sealedAuthorization }).where(and(row, isSame))
  },
}

export const hookSecrets: SealedSecrets = {
  find(db, after, limit) {
    const { tenantId, sealedSecret: sealed } = interactionHooks
    return db
      .select({ tenantId, id: tenantId, sealed })
      .from(interactionHooks)
      .where(gt(tenantId, after))
      .orderBy(asc(tenantId))
      .limit(limit)
  },
  async replace(tx, { tenantId, sealed }, sealedSecret) {
    const isSame = eq(interactionHooks.sealedSecret, sealed)
    await tx
      .update(interactionHooks)
      .set({ sealedSecret })
      .where(and(eq(interactionHooks.tenantId, tenantId), isSame))
  },
}

/** The claims of claim links. */
export const claimLinkContents: SealedSecrets = {
  async find(db, after, limit) {
    const { tenantId, id, sealedContent } = claimLinks
    const rows = await db
      .select({ tenantId, id, sealedContent })
      .from(claimLinks)
      .where(and(gt(id, after), isNotNull(sealedContent)))
      .orderBy(asc(id))
      .limit(limit)
    return rows.map((row) => ({ tenantId: row.tenantId, id: row.id, sealed: row.sealedContent ?? '' }))
  },
  async replace(tx, { tenantId, id, sealed }, sealedContent) {
    const isSame = eq(claimLinks.sealedContent, sealed)
    const row = and(eq(claimLinks.tenantId, tenantId), eq(claimLinks.id, id))
    await tx.update(claimLinks).set({ sealedContent }).where(and(row, isSame))
  },
}

/** The stored JSON. */
const storedCredentials: SQL = sql`cast(${issuances.credentials} as text)`
/** Rows of earlier versions have a list. */
const isSealed: SQL = like(storedCredentials, '"%')

/** Signed credentials, which issuances store for replays of webhooks. */
export const issuedCredentials: SealedSecrets = {
  async find(db, after, limit) {
    const { tenantId, id, credentials } = issuances
    const rows = await db
      .select({ tenantId, id, credentials })
      .from(issuances)
      .where(and(gt(id, after), isSealed))
      .orderBy(asc(id))
      .limit(limit)
    // Boundary: `isSealed` selects texts.
    return rows.map((row) => ({ tenantId: row.tenantId, id: row.id, sealed: row.credentials as string }))
  },
  async replace(tx, { tenantId, id, sealed }, credentials) {
    const row = and(eq(issuances.tenantId, tenantId), eq(issuances.id, id))
    await tx
      .update(issuances)
      .set({ credentials })
      .where(and(row, eq(storedCredentials, JSON.stringify(sealed))))
  },
}
