import { findPolicy, findPolicyContent } from '../../../db/repos/ecosystems/policies.ts'
import type { PolicyKind } from '../../../db/tables/ecosystems/policies.ts'
import { notFound } from '../../../shared/errors.ts'
import type { KeptPolicy } from '../../caches.ts'
import type { Deps } from '../../deps.ts'
import { Answer } from '../../http/representations/answer.ts'
import { compressBytes } from '../../http/representations/compress.ts'
import { given } from '../../http/representations/media.ts'
import type { Representations } from '../../http/representations/representations.ts'

/** How anybody is answered with a policy. */
export const publicPolicy: Representations = {
  media: [given('application/json')],
  etag: 'version',
  maxAgeSeconds: 60,
  gzip: true,
  cors: true,
}

interface Asked {
  tenantId: string
  ecosystemId: string
  kind: PolicyKind
  id: string | 'latest'
  /** Of the path, by which nothing is found. */
  param: string
}

/** A policy of a kind, or the one that was published last. Throws `not_found`. */
export async function answerPolicy(deps: Deps, { tenantId, ecosystemId, kind, id, param }: Asked): Promise<Answer> {
  const found = await findPolicy(deps.db.read, tenantId, ecosystemId, kind, id)
  const policy = found && (await readPolicy(deps, tenantId, found.id))
  if (!policy) throw notFound(param, id === 'latest' ? ecosystemId : id)
  return new Answer(policy.content, {
    version: found.id,
    gzipped() {
      policy.gzipped ??= compressBytes(policy.content)
      return policy.gzipped
    },
  })
}

async function readPolicy({ caches, db }: Deps, tenantId: string, id: string): Promise<KeptPolicy | undefined> {
  const key = `${tenantId} ${id}`
  const known = caches.policies.get(key)
  if (known) return known
  const content = await findPolicyContent(db.read, tenantId, id)
  if (!content) return undefined
  const policy = { content }
  caches.policies.set(key, policy)
  return policy
}
