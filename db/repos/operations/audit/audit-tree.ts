import { and, asc, eq, gte, lt, max } from 'drizzle-orm'
import {
  leafHash,
  type MerkleTree,
  openMerkleTree,
  rootOfComplete,
  tileSize,
} from '../../../../shared/formats/merkle-tree.ts'
import type { Database, Reader } from '../../../client.ts'
import { auditSubtrees } from '../../../tables/operations/audit-checkpoints.ts'
import { auditEvents } from '../../../tables/operations/audit-events.ts'

/** The bound of a transaction that stores subtrees. */
const subtreesAtOnce = 100

/** Returns the leaf of an audit row: the leaf hash (RFC 9162) of the 32 bytes of the row's hash, which is in hex. */
export function auditLeaf(hash: string): Buffer {
  return leafHash(Buffer.from(hash, 'hex'))
}

/** Returns the leaf of a row. Undefined if there is no row with this number. */
export async function findAuditLeaf(db: Reader, tenantId: string, number: number): Promise<Buffer | undefined> {
  const [row] = await db
    .select({ hash: auditEvents.hash })
    .from(auditEvents)
    .where(and(eq(auditEvents.tenantId, tenantId), eq(auditEvents.number, number)))
  return row && auditLeaf(row.hash)
}

/** The first `size` rows of a tenant's audit. */
export interface AuditTree {
  db: Reader
  tenantId: string
  size: number
}

/** Opens the Merkle tree of an audit. Its complete subtrees must be stored (`storeSubtrees`). */
export function openAuditTree({ db, tenantId, size }: AuditTree): MerkleTree {
  return openMerkleTree(size, (level, tile) => readAuditTile(db, tenantId, level, tile))
}

/** Stores the roots of the subtrees that are complete at this size and are not stored yet. Can run repeatedly. */
export async function storeSubtrees({ db, tenantId, size }: Omit<AuditTree, 'db'> & { db: Database }): Promise<void> {
  for (let level = 1; tileSize ** level <= size; level++) {
    const complete = Math.floor(size / tileSize ** level)
    for (let next = await countSubtrees(db.read, tenantId, level); next < complete; next += subtreesAtOnce) {
      const rows: (typeof auditSubtrees.$inferInsert)[] = []
      for (let position = next; position < Math.min(next + subtreesAtOnce, complete); position++) {
        const hash = rootOfComplete(await readAuditTile(db.read, tenantId, level - 1, position)).toString('base64')
        rows.push({ tenantId, level, position, hash })
      }
      await db.tx(async (tx) => void (await tx.insert(auditSubtrees).values(rows).onConflictDoNothing()))
    }
  }
}

async function countSubtrees(db: Reader, tenantId: string, level: number): Promise<number> {
  const [row] = await db
    .select({ last: max(auditSubtrees.position) })
    .from(auditSubtrees)
    .where(and(eq(auditSubtrees.tenantId, tenantId), eq(auditSubtrees.level, level)))
  return (row?.last ?? -1) + 1
}

/** Returns the hashes of a tile (merkle-tree.ts). */
export async function readAuditTile(db: Reader, tenantId: string, level: number, tile: number): Promise<Buffer[]> {
  const [from, to] = [tile * tileSize, (tile + 1) * tileSize]
  if (level === 0) {
    const { number, hash } = auditEvents
    // Rows are numbered from 1.
    const ofTile = and(eq(auditEvents.tenantId, tenantId), gte(number, from + 1), lt(number, to + 1))
    const rows = await db.select({ hash }).from(auditEvents).where(ofTile).orderBy(asc(number))
    return rows.map((row) => auditLeaf(row.hash))
  }
  const { position, hash } = auditSubtrees
  const ofTile = and(
    eq(auditSubtrees.tenantId, tenantId),
    eq(auditSubtrees.level, level),
    gte(position, from),
    lt(position, to),
  )
  const rows = await db.select({ hash }).from(auditSubtrees).where(ofTile).orderBy(asc(position))
  return rows.map((row) => Buffer.from(row.hash, 'base64'))
}
