import type { Reader } from '../../../db/client.ts'
import { hasMoreCertificates } from '../../../db/repos/ecosystems/participant-certificates.ts'
import { createThreads } from '../../../shared/threads/threads.ts'
import { type Draft, type DraftSigning, type DraftSource, draftList, draftOf } from './draft.ts'
import type { ListToDraft } from './draft-thread.ts'

/** Drafts the next list as `draftList` does; a large one beside the other work of this process. */
export type ListDrafter = (db: Reader, of: DraftSource, signing: DraftSigning) => Promise<Draft>

/** Lists of fewer are drafted sooner than a thread is started. */
const manyCertificates = 500
/**
 * On a busy machine a thread that all others go before may stand still: what is not done in time this process does itself, while who
 * asked still waits (CREDENTIAL_DEADLINE_MS), and before status lists have waited for long.
 */
const threadWithinMs = 2_000
/** How long a list waits for a free thread: publications of a tenant come one after the other anyway. */
const turnWithinMs = 2_000
/** Who publishes again soon finds the thread started; at rest it takes no memory. */
const restMs = 60_000

/** `withinMs` is how long a thread may take: tests wait for it. */
export function createListDrafter(databaseUrl: string, { withinMs = threadWithinMs } = {}): ListDrafter {
  const file = new URL('./draft-thread.ts', import.meta.url)
  const threads = createThreads<ListToDraft, Uint8Array | null>({ file, withinMs, isKept: true, restMs, line: 40 })
  return async (db, of, signing) => {
    const { configuration } = of
    const { tenantId, ecosystemId } = configuration
    if (!(await hasMoreCertificates(db, tenantId, ecosystemId, manyCertificates))) return draftList(db, of, signing)
    const deadlineAt = performance.now() + turnWithinMs + withinMs
    // What a thread cannot do this process cannot do either, perhaps, and then says why.
    const list = await threads
      .run({ databaseUrl, configuration, ...signing }, { tenantId, deadlineAt })
      .catch(() => undefined)
    if (!list) return draftList(db, of, signing)
    return draftOf(of, signing, Buffer.from(list.buffer, list.byteOffset, list.byteLength))
  }
}
