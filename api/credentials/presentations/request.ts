import type { z } from 'zod'
import {
  findPresentationTemplate,
  type PresentationTemplateRow,
} from '../../../db/repos/credentials/presentation-templates.ts'
import { findDidKey } from '../../../db/repos/identifiers/did-keys.ts'
import { wrongField } from '../../../shared/errors/errors.ts'
import { unknownReference } from '../../../shared/errors/unknown-reference.ts'
import { newId } from '../../../shared/ids.ts'
import { findUrlFault } from '../../../shared/outbound/check-outbound-url.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { NewRequest } from './schemas.ts'

interface RequestContext {
  deps: Deps
  tenant: Tenant
  deadlineAt: number
}

type Input = z.output<typeof NewRequest>

const defaultLifetimeMs = 5 * 60_000
const maxLifetimeMs = 366 * 24 * 3_600_000
/** The prefix of the request types that wallets of the reference platform support. */
const requestType = 'https://mattr.global/schemas/verifiable-presentation/request/'

/**
 * Creates a presentation request from a template, and a link with the request as a compact JWS, signed with the key of `did`.
 * The request is not stored. The verifier sends `challenge` and `domain` again when it verifies the presentation. Throws
 * `bad_request` with the name of the field.
 */
export async function requestPresentation({ deps, tenant, deadlineAt }: RequestContext, input: Input) {
  const now = deps.clock.now().getTime()
  const { callbackUrl, did, expiresTime = now + defaultLifetimeMs } = input
  if (expiresTime <= now || expiresTime > now + maxLifetimeMs)
    throw wrongField('expiresTime', 'Must be in the future, at most one year from now', expiresTime)
  const refusal = findUrlFault(callbackUrl, { allowLoopback: deps.config.outboundAllowLoopback, allowQuery: true })
  if (refusal) throw wrongField('callbackUrl', refusal, callbackUrl)
  const [template, key] = await Promise.all([
    findPresentationTemplate(deps.db.read, tenant.id, input.templateId),
    findDidKey(deps.db.read, tenant.id, did, 'Ed25519', deps.clock.now()),
  ])
  if (!template)
    throw unknownReference('templateId', input.templateId, 'GET /v2/credentials/web-semantic/presentations/templates')
  if (!key) throw wrongField('did', 'Must be a DID of this tenant with an Ed25519 key', did)

  const request = messageOf(template, { ...input, expiresTime, now })
  const job = { tenantId: tenant.id, didUrl: did, payload: request, validUntil: expiresTime }
  const { jws } = await deps.keys.request('signMessages', job, { deadlineAt })
  return { id: request.id, callbackUrl, request, didcommUri: `didcomm://${tenant.baseUrl}/?request=${jws}` }
}

function messageOf(
  { id: templateId, domain, name, query }: PresentationTemplateRow,
  { did, callbackUrl, challenge, expiresTime, now }: Input & { expiresTime: number; now: number },
) {
  return {
    id: newId(),
    type: `${requestType}${query.some(({ type }) => type === 'QueryByExample') ? 'QueryByExample' : 'DIDAuth'}`,
    from: did,
    created_time: now,
    expires_time: expiresTime,
    reply_url: callbackUrl,
    reply_to: [did],
    body: { challenge, id: templateId, domain, name, query },
  }
}
