import { setTimeout as sleep } from 'node:timers/promises'
import { countWrapped, findWrapped, replaceWrapping } from '../../db/repos/identifiers/key-wrapping.ts'
import type { KeyRow } from '../../db/repos/identifiers/keys.ts'
import type { SigningDeps } from './deps.ts'
import type { Wrapping } from './keyring.ts'

const batchSize = 200
/** A run ends before the next one, which goes on where it stopped. */
const runMs = 50_000
/** SQLite has one writer at a time, and its lock is not fair: between two batches others get it. */
const shortestPauseMs = 5

type Deps = Pick<SigningDeps, 'db' | 'keyring' | 'log'>

/**
 * Wraps anew what is wrapped under an older key-encryption key than the first, or under one that its row does not tell, and
 * says when an older one is needed no longer. Of several processes at once the one that comes second finds a row changed.
 */
export function createRewrapKeys(deps: Deps): () => Promise<void> {
  /** What the log has already. */
  const told = new Set<string>()

  return async () => {
    const until = performance.now() + runMs
    const older = deps.keyring.keyEncryptionKeys.slice(1)
    let failed = 0
    for (const name of [null, ...older]) failed += await rewrapAll(deps, name, until)
    if (failed > 0) deps.log.error({ failed }, 'no key-encryption key that is given opens some of the private keys')
    tellWhatIsFree(deps, await countWrapped(deps.db.read), told)
  }
}

/** All that one has wrapped; returns how many could not be opened. */
async function rewrapAll({ db, keyring }: Deps, name: string | null, until: number): Promise<number> {
  let failed = 0
  for (let after = ''; performance.now() < until; ) {
    const rows = await findWrapped(db.read, name, after, batchSize)
    const last = rows.at(-1)
    if (!last) break
    const startedAt = performance.now()
    const wrapped = rows.flatMap((row) => wrapAnew(keyring, row) ?? [])
    failed += rows.length - wrapped.length
    await db.tx(async (tx) => {
      for (const { row, wrapping } of wrapped) await replaceWrapping(tx, row.tenantId, row, wrapping)
    })
    after = last.id
    await sleep(Math.max(performance.now() - startedAt, shortestPauseMs))
  }
  return failed
}

function wrapAnew(keyring: Deps['keyring'], row: KeyRow): { row: KeyRow; wrapping: Wrapping } | undefined {
  const wrapping = keyring.wrapAnew(row)
  return wrapping && { row, wrapping }
}

/** Where rows do not tell what they are wrapped under, nothing is known of any. */
function tellWhatIsFree(
  { keyring, log }: Deps,
  counts: { name: string | null; count: number }[],
  told: Set<string>,
): void {
  const left = new Map(counts.map(({ name, count }) => [name, count]))
  for (const keyEncryptionKey of keyring.keyEncryptionKeys.slice(1)) {
    if (left.has(null) || left.has(keyEncryptionKey)) told.delete(keyEncryptionKey)
    else if (!told.has(keyEncryptionKey)) {
      told.add(keyEncryptionKey)
      log.info({ keyEncryptionKey }, 'nothing is wrapped under this older key-encryption key: it can be taken away')
    }
  }
}
