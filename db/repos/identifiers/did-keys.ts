import { and, desc, eq, gt, isNotNull, isNull, or } from 'drizzle-orm'
import type { Reader } from '../../client.ts'
import { constant, param, paramOf, prepared } from '../../engine/prepared.ts'
import { dids } from '../../tables/identifiers/dids.ts'
import { type KeyAlgorithm, keys } from '../../tables/identifiers/keys.ts'
import { tenants } from '../../tables/tenancy/tenants.ts'
import { type KeyOwner, type KeyRow, tenantOwner } from './keys.ts'

/** A key of one of the tenant's DIDs, with its name in the document. */
export interface OwnDidKey extends Pick<KeyRow, 'id' | 'algorithm' | 'publicJwk'> {
  didUrl: string
  /** A retired key is not used for new signatures or encryption. Earlier ones can still be in use. */
  isRetired: boolean
}

const ownDid = prepared('own_did', (db) =>
  db
    .select({ did: tenants.did })
    .from(tenants)
    .where(eq(tenants.id, param('tenantId'))),
)

const createdDid = prepared('made_did', (db) =>
  db
    .select({ id: dids.id, did: dids.did, documentedKeys: dids.documentedKeys })
    .from(dids)
    .where(and(eq(dids.tenantId, param('tenantId')), eq(dids.did, param('did')), isNotNull(dids.document))),
)

const ofOwner = prepared('did_keys_of_owner', (db) =>
  db
    .select({ id: keys.id, algorithm: keys.algorithm, publicJwk: keys.publicJwk, retiredAt: keys.retiredAt })
    .from(keys)
    .where(
      and(
        eq(keys.tenantId, param('tenantId')),
        eq(keys.ownerKind, param('kind')),
        eq(keys.ownerId, param('ownerId')),
        eq(keys.purpose, constant('did')),
        // Null means that the key stays published.
        or(
          isNull(keys.retiredAt),
          isNull(keys.publishedUntil),
          gt(keys.publishedUntil, paramOf(keys.publishedUntil, 'at')),
        ),
      ),
    )
    .orderBy(desc(keys.createdAt), keys.id),
)

/**
 * Returns which of these DIDs belong to the tenant: its own DID, and those that it created. A message has few of them.
 */
export async function findDidsAmong(db: Reader, tenantId: string, candidates: string[]): Promise<Set<string>> {
  const [own, ...made] = await Promise.all([
    findOwnDid(db, tenantId),
    ...candidates.map((did) => createdDid(db, { tenantId, did })),
  ])
  return new Set([...candidates.filter((did) => did === own), ...made.flat().flatMap(({ did }) => did ?? [])])
}

/**
 * Returns the keys of one of the tenant's DIDs that are published at a time, in document order. Returns none for DIDs
 * of others.
 */
export async function findDidKeys(db: Reader, tenantId: string, did: string, at: Date): Promise<OwnDidKey[]> {
  if (did === (await findOwnDid(db, tenantId))) {
    const rows = await keysOf(db, tenantId, tenantOwner, at)
    return rows.map((row) => ({ ...row, didUrl: `${did}#${row.id}` }))
  }
  const [made] = await createdDid(db, { tenantId, did })
  if (!made?.documentedKeys) return []
  const rows = await keysOf(db, tenantId, { kind: 'did', id: made.id }, at)
  return made.documentedKeys.flatMap(({ didDocumentKeyId: didUrl, keyId }) => {
    const row = rows.find(({ id }) => id === keyId)
    return row ? { ...row, didUrl } : []
  })
}

/** Returns the key of a DID URL. For a DID without a fragment returns the first key of the algorithm. */
export async function findDidKey(
  db: Reader,
  tenantId: string,
  didUrl: string,
  algorithm: KeyAlgorithm,
  at: Date,
): Promise<OwnDidKey | undefined> {
  const [did = ''] = didUrl.split('#', 1)
  const all = await findDidKeys(db, tenantId, did, at)
  const fit = all.filter((key) => key.algorithm === algorithm && (did === didUrl || key.didUrl === didUrl))
  return fit.find(({ isRetired }) => !isRetired) ?? fit[0]
}

async function findOwnDid(db: Reader, tenantId: string): Promise<string | undefined> {
  const [tenant] = await ownDid(db, { tenantId })
  return tenant?.did
}

async function keysOf(db: Reader, tenantId: string, { kind, id: ownerId }: KeyOwner, at: Date) {
  const rows = await ofOwner(db, { tenantId, kind, ownerId, at })
  return rows.map(({ retiredAt, ...row }) => ({ ...row, isRetired: retiredAt !== null }))
}
