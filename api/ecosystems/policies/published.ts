import type { Reader } from '../../../db/client.ts'
import { findPolicy, findPolicyContent } from '../../../db/repos/ecosystems/policies.ts'
import type { PolicyKind } from '../../../db/tables/ecosystems/policies.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import type { Deps } from '../../deps.ts'
import { Answer } from '../../http/representations/answer.ts'
import { compressBytes } from '../../http/representations/compress.ts'
import { handlerMedia } from '../../http/representations/media.ts'
import type { Representations } from '../../http/representations/representations.ts'
import { defineCache } from '../../process/caches.ts'

/** The representations of a public policy. */
export const publicPolicy: Representations = {
  media: [handlerMedia('application/json')],
  etag: 'version',
  maxAgeSeconds: 60,
  gzip: true,
  cors: true,
}

interface CachedPolicy {
  content: Buffer
  /** The compressed content. It is set by the first request that accepts gzip. */
  gzipped?: Promise<Buffer>
}

interface PolicyQuery {
  db: Reader
  tenantId: string
  id: string
}

const maxBytes = 128_000_000

/** Published policies, by tenant and id. A published policy never changes. */
const policiesCache = defineCache<string, CachedPolicy, PolicyQuery>('policies', {
  maxSize: maxBytes,
  // The compressed content takes at most as much memory again.
  sizeCalculation: ({ content }) => 2 * content.length,
  async fetchMethod(_key, _cached, { context: { db, tenantId, id } }) {
    const content = await findPolicyContent(db, tenantId, id)
    return content && { content }
  },
  ignoreFetchAbort: true,
})

interface Input {
  tenantId: string
  ecosystemId: string
  kind: PolicyKind
  id: string | 'latest'
  /** The path parameter that `not_found` names. */
  param: string
}

/** Returns the policy with this id, or the latest one of the kind. Throws `not_found`. */
export async function answerPolicy(
  deps: Pick<Deps, 'db' | 'caches'>,
  { tenantId, ecosystemId, kind, id, param }: Input,
): Promise<Answer> {
  const db = deps.db.read
  const row = await findPolicy(db, tenantId, ecosystemId, kind, id)
  const context = row && { db, tenantId, id: row.id }
  const policy = context && (await deps.caches.of(policiesCache).fetch(`${tenantId} ${row.id}`, { context }))
  if (!policy) throw notFound(param, id === 'latest' ? ecosystemId : id)
  return new Answer(policy.content, {
    version: row.id,
    gzipped() {
      policy.gzipped ??= compressBytes(policy.content)
      return policy.gzipped
    },
  })
}
