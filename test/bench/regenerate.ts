import { startChild } from './child.ts'
import type { Stack } from './stack.ts'

/** Milliseconds, the median of many, by turns. */
export interface Regeneration {
  /** A list of 1,000,000 entries with 2 % set, published. */
  listId: string
  /** From reading its entries until the next version is stored. */
  regenerateMs: number
  /** Of zlib, level 6, for the same bits. */
  zlibMs: number
}

/** Makes a big list beside the given one, of the same tenant, and publishes it over and over. */
export async function regenerate({ databaseUrl, pids }: Stack, besideListId: string): Promise<Regeneration> {
  const child = await startChild('./regenerate-list.ts', { DATABASE_URL: databaseUrl })
  const worker = pids.worker ?? 0
  // The service's own publisher would do some of them.
  process.kill(worker, 'SIGSTOP')
  try {
    // Boundary: regenerate-list.ts answers with one of these.
    return (await child.ask(besideListId)) as Regeneration
  } finally {
    process.kill(worker, 'SIGCONT')
    child.stop()
  }
}
