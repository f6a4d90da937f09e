import { startChild } from './child.ts'
import type { Stack } from './stack.ts'

/** Milliseconds, the median of alternating runs. */
export interface Regeneration {
  /** The published list with 2 % of its entries set. */
  listId: string
  /** From reading the entries until the next version is stored. */
  regenerateMs: number
  /** Time of zlib for the same bits: level 6, and level 9 for a token status list, as the service compresses them. */
  zlibMs: number
}

export interface Regenerations {
  /** 1,000,000 entries. */
  revocationList: Regeneration
  /** 100,000 entries. */
  tokenList: Regeneration
}

/** Makes lists of the same tenant as the given list and publishes them repeatedly. */
export async function regenerate({ databaseUrl, pids }: Stack, besideListId: string): Promise<Regenerations> {
  const child = await startChild('./regenerate-list.ts', { DATABASE_URL: databaseUrl })
  const worker = pids.worker ?? 0
  // Stops the service's own publisher, which would publish some of them.
  process.kill(worker, 'SIGSTOP')
  try {
    // Boundary: the answer of regenerate-list.ts.
    return (await child.request(besideListId)) as Regenerations
  } finally {
    process.kill(worker, 'SIGCONT')
    child.stop()
  }
}
