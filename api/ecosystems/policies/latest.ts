import { findLatestPolicy, findPolicyContent } from '../../../db/repos/ecosystems/policies.ts'
import type { PolicyKind } from '../../../db/tables/ecosystems/policies.ts'
import { notFound } from '../../../shared/errors.ts'
import type { KeptPolicy } from '../../caches.ts'
import type { Deps } from '../../deps.ts'
import { Answer } from '../../http/representations/answer.ts'
import { compressBytes } from '../../http/representations/compress.ts'

/** The policy of a kind that was published last. Throws `not_found`. */
export async function answerLatestPolicy(
  deps: Deps,
  tenantId: string,
  ecosystemId: string,
  kind: PolicyKind,
): Promise<Answer> {
  const latest = await findLatestPolicy(deps.db.read, tenantId, ecosystemId, kind)
  const policy = latest && (await readPolicy(deps, tenantId, latest.id))
  if (!policy) throw notFound('ecosystemId', ecosystemId)
  return new Answer(policy.content, {
    version: latest.id,
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
