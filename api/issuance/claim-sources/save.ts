import type { Writer } from '../../../db/client.ts'
import { hold } from '../../../db/hold.ts'
import {
  type ClaimSourceRow,
  deleteClaimSource,
  insertClaimSources,
  isClaimSourceUsed,
  updateClaimSource,
} from '../../../db/repos/issuance/claim-sources.ts'
import type { Change, ChangeTo } from '../../../db/repos/operations/audit/audited.ts'
import { claimSources } from '../../../db/tables/issuance/claim-sources.ts'
import { changedFieldNames } from '../../../shared/changed-fields.ts'
import { notFound, Problem, type ProblemDetail } from '../../../shared/errors/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { findUrlFault } from '../../../shared/outbound/check-outbound-url.ts'
import type { Deps } from '../../deps.ts'
import { afterPut } from '../../http/kept.ts'
import { newAuthorization, openAuthorization, replaceAuthorization, sealAuthorization } from './authorization.ts'
import { type ClaimSourceBody, defaultOnFailure, type NewClaimSource } from './schemas.ts'

export async function createClaimSource(
  deps: Deps,
  change: ChangeTo<ClaimSourceRow>,
  tenantId: string,
  body: NewClaimSource,
): Promise<ClaimSourceRow> {
  checkUrls(deps, body)
  const { authorization, ...content } = body
  const createdAt = deps.clock.now()
  const id = newOrderedId(createdAt)
  const sealed = sealAuthorization(deps.secrets, id, newAuthorization(authorization))
  const row = { id, tenantId, ...content, ...sealed, createdAt }
  return change(async (tx, record) => {
    await insertClaimSources(tx, [row])
    record(tenantId, { id })
    return row
  })
}

interface SourceReplacement {
  tenantId: string
  id: string
  body: ClaimSourceBody
  requireMatch(before: ClaimSourceRow): Promise<void>
}

/**
 * Replaces a claim source. A masked secret in the body keeps the stored secret, if the secret is still sent to the same host. Throws
 * `not_found` and `bad_request`.
 */
export async function replaceClaimSource(
  deps: Deps,
  change: Change,
  { tenantId, id, body, requireMatch }: SourceReplacement,
): Promise<ClaimSourceRow> {
  checkUrls(deps, body)
  const { authorization: _, onFailure, ...others } = body
  return change(async (tx, record) => {
    const current = await hold(tx, claimSources, tenantId, id)
    if (!current) throw notFound('id', id)
    await requireMatch(current)
    const content = { ...others, onFailure: afterPut(onFailure, current.onFailure, defaultOnFailure) }
    const stored = { ...current, authorization: openAuthorization(deps.secrets, current) }
    const authorization = replaceAuthorization(body, stored)
    const sealed = sealAuthorization(deps.secrets, id, authorization)
    const row = await updateClaimSource(tx, tenantId, id, { ...content, ...sealed })
    if (!row) throw notFound('id', id)
    record(tenantId, { id, changed: changedFieldNames(stored, { ...content, authorization }) })
    return row
  })
}

/** Deletes a source that no configuration uses. Returns false if it does not exist. */
export async function removeClaimSource(tx: Writer, tenantId: string, id: string): Promise<boolean> {
  // The row is deleted first. A configuration that is being saved locks the row, so the check after it sees that
  // configuration.
  if (!(await deleteClaimSource(tx, tenantId, id))) return false
  if (!(await isClaimSourceUsed(tx, tenantId, id))) return true
  throw new Problem('conflict', {
    message: 'A credential configuration uses this claim source. Change or delete the configuration first.',
  })
}

function checkUrls({ config }: Deps, { url, authorization }: Pick<ClaimSourceBody, 'url' | 'authorization'>): void {
  const urls: Record<string, string> = { url }
  if (authorization.type !== 'api-key') urls['authorization.value.tokenUrl'] = authorization.value.tokenUrl
  const details = Object.entries(urls).flatMap(([param, value]): ProblemDetail[] => {
    const wrong = findUrlFault(value, { allowLoopback: config.outboundAllowLoopback, allowQuery: true })
    return wrong ? [{ value, msg: wrong, param, location: 'body' }] : []
  })
  if (details.length > 0) throw new Problem('bad_request', { details })
}
