import type { Reader } from '../../../db/client.ts'
import { hasMoreCertificates } from '../../../db/repos/ecosystems/participant-certificates.ts'
import { createThreads } from '../../../shared/threads/threads.ts'
import { type Draft, type DraftSigning, type DraftSource, draftList, signDraft } from './draft.ts'
import type { ListToDraft } from './draft-thread.ts'

/** Drafts the next list like `draftList`. Builds the payload of a large list on a thread. This process signs it. */
export type ListDrafter = (db: Reader, of: DraftSource, signing: DraftSigning) => Promise<Draft>

/** Drafting a smaller list takes less time than starting a thread. */
const minCertificates = 500
/**
 * The time limit of a thread. On a busy machine a thread of low priority can be very slow. This process then drafts the list itself, within
 * the deadline of the request (CREDENTIAL_DEADLINE_MS) and before status lists wait long.
 */
const threadTimeoutMs = 2_000
/** The time limit of the wait for a free thread. */
const waitTimeoutMs = 2_000
/** An idle thread ends after this time and then uses no memory. */
const idleMs = 60_000

/** Creates a drafter. `withinMs` is the time limit of a thread, which tests set. */
export function createListDrafter(databaseUrl: string, { withinMs = threadTimeoutMs } = {}): ListDrafter {
  const file = new URL('./draft-thread.ts', import.meta.url)
  const threads = createThreads<ListToDraft, Uint8Array | null>({
    file,
    withinMs,
    isKept: true,
    restMs: idleMs,
    maxWaiting: 40,
  })
  return async (db, of, signing) => {
    const { configuration } = of
    const { tenantId, ecosystemId } = configuration
    if (!(await hasMoreCertificates(db, tenantId, ecosystemId, minCertificates))) return draftList(db, of, signing)
    const deadlineAt = performance.now() + waitTimeoutMs + withinMs
    // If a thread fails, this process tries and throws the reason of a failure.
    const payload = await threads
      .run({ databaseUrl, configuration, date: signing.date }, { tenantId, deadlineAt })
      .catch(() => undefined)
    if (!payload) return draftList(db, of, signing)
    return signDraft(of, signing, Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength))
  }
}
