import type { Reader, Writer } from '../../db/client.ts'
import { holdTenant } from '../../db/hold.ts'
import { findTenantIds } from '../../db/keeping/retention.ts'
import {
  deleteEndedEncryptionKeys,
  findKeyTimes,
  insertKeys,
  retireKeys,
  tenantItself,
} from '../../db/repos/identifiers/keys.ts'
import { plusMs } from '../../shared/clock.ts'
import { auditKeys } from './audit-keys.ts'
import type { SigningDeps } from './deps.ts'

const dayMs = 24 * 3600 * 1000
/** How long wallets are told to encrypt for a key. */
const lifetimeMs = 30 * dayMs
/** How long it opens after that, for wallets that read the metadata a while ago. */
const opensForMs = dayMs

/** Gives every tenant a young key to encrypt for, and removes those that open nothing any more. */
export async function rotateEncryptionKeys(deps: SigningDeps): Promise<void> {
  const at = deps.clock.now()
  for (const tenantId of await findTenantIds(deps.db.read)) {
    const { hasYoung, hasEnded } = await lookAt(deps.db.read, tenantId, at)
    if (!hasYoung || hasEnded) await deps.db.tx((tx) => rotate(tx, deps, tenantId, at))
  }
}

async function rotate(tx: Writer, { keyring }: SigningDeps, tenantId: string, at: Date): Promise<void> {
  // One that is being made or removed has no use for a key, and its audit takes no row.
  if ((await holdTenant(tx, tenantId))?.state !== 'active') return
  const ended = await deleteEndedEncryptionKeys(tx, tenantId, at)
  // Asked again: another process may have been here.
  const { hasYoung } = await lookAt(tx, tenantId, at)
  const key = keyring.newKey({ tenantId, owner: tenantItself, purpose: 'encryption', algorithm: 'ECDH-ES' }, at)
  if (!hasYoung) {
    await retireKeys(tx, tenantId, tenantItself, 'encryption', at, plusMs(at, opensForMs))
    await insertKeys(tx, [key])
  }
  if (ended.length > 0) await auditKeys(tx, tenantId, 'KEY_DELETE', { ids: ended, purpose: key.purpose }, at)
  if (!hasYoung) await auditKeys(tx, tenantId, 'KEY_ROTATE', { id: key.id, purpose: key.purpose }, at)
}

async function lookAt(db: Reader, tenantId: string, at: Date) {
  const times = await findKeyTimes(db, tenantId, tenantItself, 'encryption')
  return {
    hasYoung: times.some(({ createdAt, retiredAt }) => !retiredAt && createdAt > plusMs(at, -lifetimeMs)),
    hasEnded: times.some(({ publishedUntil }) => publishedUntil !== null && publishedUntil <= at),
  }
}
