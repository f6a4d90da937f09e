import { findNamedContexts } from '../../../db/repos/credentials/own-contexts.ts'
import { findSignedBefore, type SignedBefore } from '../../../db/repos/credentials/signed.ts'
import { findTenant, type TenantRow } from '../../../db/repos/tenancy/tenants.ts'
import { Problem, toWireProblem, wrongField } from '../../../shared/errors/errors.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import type { Outcomes } from '../../../shared/jobs/definition.ts'
import type { Signature, SignatureRequest } from '../../../shared/jobs/payloads.ts'
import type { SigningDeps } from '../deps.ts'
import { vocabularyOf } from '../formats/vocabulary.ts'
import { issuerKey, madeDidKey } from '../issuer-key.ts'
import { problemOf } from '../item-problem.ts'
import { revocationSeries } from '../lists/list-series.ts'
import { type Started, startEach } from '../start-each.ts'
import { commitSignatures, type SignedDirectly } from './commit-signatures.ts'
import { dateFromMs, signContent } from './sign-content.ts'
import { startSdJwtContent } from './sign-sd-jwt.ts'
import { committedStatusIndex, takeStatusIndex } from './status-index.ts'

type Outcome = Outcomes<Signature>['outcomes'][number]

const late: Outcome = { problem: toWireProblem(new Problem('service_unavailable', { retryAfterSeconds: 2 })) }
const gone: Outcome = { problem: toWireProblem(new Problem('not_found')) }

/**
 * Signs credentials for operators and commits their records with their status indexes. A job can run twice. A credential that an earlier run
 * committed is signed again with its status index, and nothing is written.
 */
export async function signDirectly(deps: SigningDeps, items: SignatureRequest[]): Promise<Outcomes<Signature>> {
  const outcomes = new Map<string, Outcome>()
  const byTenant = Map.groupBy(items, ({ tenantId }) => tenantId)
  await Promise.all([...byTenant].map(([tenantId, ofTenant]) => signForTenant(deps, tenantId, ofTenant, outcomes)))
  return { outcomes: items.map(({ credentialId }) => outcomes.get(credentialId) ?? late) }
}

async function signForTenant(
  deps: SigningDeps,
  tenantId: string,
  items: SignatureRequest[],
  outcomes: Map<string, Outcome>,
): Promise<void> {
  const tenant = await findTenant(deps.db.read, tenantId)
  if (tenant?.state !== 'active') {
    refuseAll(items, outcomes)
    return
  }
  const each = [...new Map(items.map((item) => [item.credentialId, item])).values()]
  const left = await signOnce(deps, tenant, each, outcomes)
  // Another run of the job committed them meanwhile, so they are found now.
  if (left.length > 0) await signOnce(deps, tenant, left, outcomes)
}

function refuseAll(items: SignatureRequest[], outcomes: Map<string, Outcome>): void {
  for (const { credentialId } of items) outcomes.set(credentialId, gone)
}

/** Signs and commits the items. Returns those that another run of the job has committed meanwhile. */
async function signOnce(
  deps: SigningDeps,
  tenant: TenantRow,
  items: SignatureRequest[],
  outcomes: Map<string, Outcome>,
): Promise<SignatureRequest[]> {
  const ids = items.map(({ credentialId }) => credentialId)
  const before = new Map((await findSignedBefore(deps.db.read, tenant.id, ids)).map((each) => [each.id, each]))
  const signed: SignedDirectly[] = []
  const toSign = items.filter(({ credentialId }) => !before.get(credentialId)?.cancelledAt)
  const results = await startEach(toSign, (each) => start(deps, tenant, each, before.get(each.credentialId)))
  for (const [at, request] of toSign.entries()) {
    const { credentialId } = request
    const result = results[at]
    if (result?.status === 'rejected')
      outcomes.set(credentialId, { problem: problemOf(deps, asProblem(result.reason, request)) })
    if (result?.status !== 'fulfilled') continue
    if (before.has(credentialId)) outcomes.set(credentialId, { ok: { credential: result.value.credential } })
    else signed.push(result.value)
  }
  if (signed.length === 0) return []
  const committed = await commitSignatures(deps, tenant.id, signed)
  if (!committed) {
    refuseAll(items, outcomes)
    return []
  }
  for (const { request, credential } of signed) {
    if (!committed.has(request.credentialId)) continue
    deps.counts.issued({ tenantId: tenant.id, profile: request.content.profile, askedBy: 'operator' }, 1)
    outcomes.set(request.credentialId, { ok: { credential } })
  }
  return signed.flatMap(({ request }) => (committed.has(request.credentialId) ? [] : [request]))
}

async function start(
  deps: SigningDeps,
  tenant: TenantRow,
  request: SignatureRequest,
  earlier: SignedBefore | undefined,
): Promise<Started<SignedDirectly>> {
  const { tenantId, issuerDid: did, content } = request
  const { profile } = content
  if (profile === 'sd-jwt') return startSdJwtContent(deps, tenant, { request, content }, earlier)
  const isOwn = did === tenant.did
  const key = await (isOwn ? issuerKey : madeDidKey)(deps, { tenantId, did }, profile)
  if (isOwn) await deps.keyTerms.extendTo(tenantId, key.kid, dateFromMs(content.validUntil))
  const own = { tenantId, did: tenant.did }
  const statusIndex = earlier
    ? committedStatusIndex(deps, own, profile, earlier)
    : await takeStatusIndex(deps, own, request, revocationSeries(profile, isOwn ? '' : did))
  const vocab = vocabularyOf(tenant.did)
  const named = profile === 'web-semantic' ? (content.contexts ?? []) : []
  const { own: contexts } = await findNamedContexts(deps.db.read, tenantId, named)
  const signed = signContent(request, content, { key, status: statusIndex, vocab, own: contexts })
  const signedBy = { certificateIds: [], signerId: key.signerId }
  const result = signed.then((credential) => ({ request, statusIndex, credential, ...signedBy }))
  return { result, isExternal: key.signer.isExternal === true }
}

/** Translates an error that the caller can see: the DID was deleted, or the format cannot express the content. A mismatch is internal. */
function asProblem(error: unknown, { content: { profile } }: SignatureRequest): unknown {
  if (profile !== 'sd-jwt' && error instanceof Problem && error.problem === 'not_found') {
    return wrongField(profile === 'web-semantic' ? 'payload.issuer.id' : 'payload.iss', 'Not a DID of this tenant')
  }
  if (!(error instanceof FormatError) || error.code === 'signature_mismatch') return error
  return wrongField(profile === 'sd-jwt' ? 'claims' : 'payload', `Cannot be signed: ${error.message}`)
}
