import type { KeyObject } from 'node:crypto'
import { type Checkpoint, ed25519KeysOf, openCheckpoint } from '../../../../shared/formats/checkpoint.ts'
import { createGrowingTree } from '../../../../shared/formats/merkle-tree.ts'
import type { Reader } from '../../../client.ts'
import { findPublishedKeys, tenantOwner } from '../../identifiers/keys.ts'
import type { AuditRow } from './audit.ts'
import { findCheckpointsBetween } from './audit-checkpoints.ts'
import { auditLeaf } from './audit-tree.ts'

/** Returns the public keys that verify checkpoints of a tenant, also replaced ones. */
export async function findAuditKeys(db: Reader, tenantId: string): Promise<KeyObject[]> {
  const rows = await findPublishedKeys(db, tenantId, tenantOwner, 'audit', new Date())
  return ed25519KeysOf({ keys: rows.map(({ publicJwk }) => publicJwk) })
}

/** Compares the rows of an audit with its checkpoints. */
interface CheckpointCheck {
  /** Reads the stored checkpoints with more than `after` and up to `to` rows. */
  read(after: number, to: number): Promise<void>
  /** Takes the next row. Returns the fault of a checkpoint that ends with it. */
  faultAt(row: AuditRow): string | undefined
}

/** `noted` are checkpoints from elsewhere, whose signatures were verified. */
export function createCheckpointCheck(
  { db, tenantId }: { db: Reader; tenantId: string },
  noted: readonly Pick<Checkpoint, 'size' | 'root'>[],
): CheckpointCheck {
  const tree = createGrowingTree()
  let stored = new Map<number, string>()
  let keys: KeyObject[] | undefined
  let lastGood = 0

  return {
    async read(after, to) {
      keys ??= await findAuditKeys(db, tenantId)
      stored = new Map((await findCheckpointsBetween(db, tenantId, after, to)).map(({ size, note }) => [size, note]))
    },
    faultAt({ number, hash }) {
      tree.add(auditLeaf(hash))
      const note = stored.get(number)
      const roots = noted.filter(({ size }) => size === number).map(({ root }) => root)
      if (note !== undefined) {
        const opened = openCheckpoint(note, keys ?? [])
        if (opened?.size !== number) return `the checkpoint of ${number} rows has no valid signature`
        roots.push(opened.root)
      }
      if (roots.length === 0) return undefined
      const root = tree.root()
      if (roots.some((each) => !each.equals(root)))
        return `rows ${lastGood + 1} to ${number} were replaced: they differ from the checkpoint of ${number} rows`
      lastGood = number
      return undefined
    },
  }
}
