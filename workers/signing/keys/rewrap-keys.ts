import { chunksOf } from '../../../db/repos/chunks.ts'
import { countWrapped, findWrapped, replaceWrapping } from '../../../db/repos/identifiers/key-wrapping.ts'
import type { KeyRow } from '../../../db/repos/identifiers/keys.ts'
import { minPauseMs, runUntil } from '../../jobs/run-until.ts'
import type { SigningDeps } from '../deps.ts'
import type { Wrapping } from './wrapping.ts'

const batchSize = 200
/** A device that rewraps more keys at once might not answer in time. */
const atOnce = 8
/** A run ends before the next run, which continues where it stopped. */
const maxRunMs = 50_000

type Deps = Pick<SigningDeps, 'db' | 'keyring' | 'log'>

/**
 * Creates a function that wraps keys under the first key-encryption key. It rewraps the keys under an older one, and those whose rows do not
 * name one. Logs which older key-encryption keys are no longer needed. If another process has changed a row meanwhile, the row stays.
 */
export function createRewrapKeys(deps: Deps): () => Promise<void> {
  /** The unused key-encryption keys that are already logged. */
  const logged = new Set<string>()

  return async () => {
    const until = performance.now() + maxRunMs
    const older = deps.keyring.keyEncryptionKeys.slice(1)
    let failed = 0
    for (const name of [null, ...older]) if (performance.now() < until) failed += await rewrapAll(deps, name, until)
    if (failed > 0) deps.log.error({ failed }, 'no key-encryption key opens some private keys')
    logUnusedKeys(deps, await countWrapped(deps.db.read), logged)
  }
}

/** Rewraps the keys under one key-encryption key. Returns how many could not be opened. */
async function rewrapAll({ db, keyring }: Deps, name: string | null, until: number): Promise<number> {
  let failed = 0
  let after = ''
  await runUntil(async () => {
    const rows = await findWrapped(db.read, name, after, batchSize)
    const last = rows.at(-1)
    if (!last) return undefined
    const wrapped: { row: KeyRow; wrapping: Wrapping }[] = []
    for (const some of chunksOf(rows, atOnce))
      await Promise.all(
        some.map(async (row) => {
          const wrapping = await keyring.rewrap(row)
          if (wrapping) wrapped.push({ row, wrapping })
        }),
      )
    failed += rows.length - wrapped.length
    await db.tx(async (tx) => {
      for (const { row, wrapping } of wrapped) await replaceWrapping(tx, row.tenantId, row, wrapping)
    })
    after = last.id
    return minPauseMs
  }, until)
  return failed
}

/** Logs nothing while there are rows that do not name their key-encryption key. */
function logUnusedKeys(
  { keyring, log }: Deps,
  counts: { name: string | null; count: number }[],
  logged: Set<string>,
): void {
  const used = new Set(counts.map(({ name }) => name))
  for (const keyEncryptionKey of keyring.keyEncryptionKeys.slice(1)) {
    if (used.has(null) || used.has(keyEncryptionKey)) logged.delete(keyEncryptionKey)
    else if (!logged.has(keyEncryptionKey)) {
      logged.add(keyEncryptionKey)
      log.info({ keyEncryptionKey }, 'key-encryption key unused, it can be removed')
    }
  }
}
