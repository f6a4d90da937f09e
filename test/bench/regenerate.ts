import { startChild } from './child.ts'
import type { Stack } from './stack.ts'

/** Milliseconds, the median of many, by turns. */
export interface Regeneration {
  /** The list, with 2 % set, published. */
  listId: string
  /** From reading its entries until the next version is stored. */
  regenerateMs: number
  /** Of zlib for the same bits: at level 6, and at 9 for a token status list, which is compressed so. */
  zlibMs: number
}

export interface Regenerations {
  /** Of 1,000,000 entries. */
  revocationList: Regeneration
  /** Of 100,000. */
  tokenList: Regeneration
}

/** Makes lists beside the given one, of the same tenant, and publishes them over and over. */
export async function regenerate({ databaseUrl, pids }: Stack, besideListId: string): Promise<Regenerations> {
  const child = await startChild('./regenerate-list.ts', { DATABASE_URL: databaseUrl })
  const worker = pids.worker ?? 0
  // The service's own publisher would do some of them.
  process.kill(worker, 'SIGSTOP')
  try {
    // Boundary: regenerate-list.ts answers with one of these.
    return (await child.ask(besideListId)) as Regenerations
  } finally {
    process.kill(worker, 'SIGCONT')
    child.stop()
  }
}
