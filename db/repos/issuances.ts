import { and, eq, inArray } from 'drizzle-orm'
import type { Reader, Writer } from '../client.ts'
import { configurations } from '../tables/configurations.ts'
import { credentials, type IssuedCredential, issuances, sessionClaims } from '../tables/issuances.ts'
import { tenants } from '../tables/tenants.ts'

export type IssuanceRow = typeof issuances.$inferSelect
export type CredentialRow = typeof credentials.$inferSelect

export type NewIssuance = Omit<IssuanceRow, 'state' | 'credentials' | 'endedAt' | 'deliveredAt'>

export async function insertIssuance(tx: Writer, issuance: NewIssuance): Promise<void> {
  await tx.insert(issuances).values({ ...issuance, state: 'requested' })
}

export async function findIssuance(db: Reader, tenantId: string, id: string): Promise<IssuanceRow | undefined> {
  const [row] = await db
    .select()
    .from(issuances)
    .where(and(eq(issuances.tenantId, tenantId), eq(issuances.id, id)))
  return row
}

/** The issuance by which a session got a configuration's credential. */
export async function findClaimedIssuance(
  db: Reader,
  tenantId: string,
  sessionId: string,
  configurationId: string,
): Promise<IssuanceRow | undefined> {
  const [row] = await db
    .select({ issuance: issuances })
    .from(sessionClaims)
    .innerJoin(issuances, eq(issuances.id, sessionClaims.issuanceId))
    .where(
      and(
        eq(sessionClaims.tenantId, tenantId),
        eq(sessionClaims.sessionId, sessionId),
        eq(sessionClaims.configurationId, configurationId),
      ),
    )
  return row?.issuance
}

/** What the signing process needs of issuances, with their configuration and issuer. */
export type IssuanceToSign = Awaited<ReturnType<typeof findIssuancesToSign>>[number]

export async function findIssuancesToSign(db: Reader, tenantId: string, ids: string[]) {
  return db
    .select({ issuance: issuances, configuration: configurations, issuerDid: tenants.did, issuerName: tenants.name })
    .from(issuances)
    .innerJoin(
      configurations,
      and(eq(configurations.id, issuances.configurationId), eq(configurations.tenantId, issuances.tenantId)),
    )
    .innerJoin(tenants, eq(tenants.id, issuances.tenantId))
    .where(and(eq(issuances.tenantId, tenantId), inArray(issuances.id, ids)))
}

/** `requested` -> `issued`, with the result; the claims are wiped. False when the API gave up before. */
export async function finishIssuance(
  tx: Writer,
  tenantId: string,
  id: string,
  result: IssuedCredential[],
  at: Date,
): Promise<boolean> {
  const rows = await tx
    .update(issuances)
    .set({ state: 'issued', credentials: result, claims: null, endedAt: at })
    .where(and(eq(issuances.tenantId, tenantId), eq(issuances.id, id), eq(issuances.state, 'requested')))
    .returning({ id: issuances.id })
  return rows.length === 1
}

/** Ends an issuance without a credential; also one that was finished in this same transaction. */
export async function refuseIssuances(tx: Writer, tenantId: string, ids: string[], at: Date): Promise<void> {
  if (ids.length === 0) return
  await tx
    .update(issuances)
    .set({ state: 'refused', credentials: null, claims: null, endedAt: at })
    .where(and(eq(issuances.tenantId, tenantId), inArray(issuances.id, ids)))
}

/** `requested` -> `abandoned`; the claims are wiped. False when it was signed or refused before. */
export async function abandonIssuance(tx: Writer, tenantId: string, id: string, at: Date): Promise<boolean> {
  const rows = await tx
    .update(issuances)
    .set({ state: 'abandoned', claims: null, endedAt: at })
    .where(and(eq(issuances.tenantId, tenantId), eq(issuances.id, id), eq(issuances.state, 'requested')))
    .returning({ id: issuances.id })
  return rows.length === 1
}

/** The issuances of `claims` that are the first of their session and configuration. */
export async function claimSessions(tx: Writer, claims: (typeof sessionClaims.$inferInsert)[]): Promise<Set<string>> {
  if (claims.length === 0) return new Set()
  const rows = await tx
    .insert(sessionClaims)
    .values(claims)
    .onConflictDoNothing()
    .returning({ issuanceId: sessionClaims.issuanceId })
  return new Set(rows.map(({ issuanceId }) => issuanceId))
}

export async function insertCredentials(tx: Writer, rows: CredentialRow[]): Promise<void> {
  if (rows.length > 0) await tx.insert(credentials).values(rows)
}

/** Notes that wallets have their answers. By id alone: the marks of one process are of many tenants. */
export async function markDelivered(tx: Writer, ids: string[], at: Date): Promise<void> {
  await tx.update(issuances).set({ deliveredAt: at }).where(inArray(issuances.id, ids))
}
