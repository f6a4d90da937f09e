import type { z } from 'zod'
import {
  findPresentationTemplate,
  type PresentationTemplateRow,
} from '../../../db/repos/credentials/presentation-templates.ts'
import { findDidKey } from '../../../db/repos/identifiers/did-keys.ts'
import { wrongField } from '../../../shared/errors.ts'
import { newId } from '../../../shared/ids.ts'
import { findUrlFault } from '../../../shared/outbound/check-outbound-url.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { NewRequest } from './schemas.ts'

interface Asking {
  deps: Deps
  tenant: Tenant
  deadlineAt: number
}

type Asked = z.output<typeof NewRequest>

const standsForMs = 5 * 60_000
const longestMs = 366 * 24 * 3_600_000
/** What wallets of the reference platform know requests by. */
const requestType = 'https://mattr.global/schemas/verifiable-presentation/request/'

/**
 * A request for a presentation as a template has it, and the same as a link: a compact JWS under the key of the DID that asks.
 * Nothing of it is stored: whoever is sent the presentation asks for `challenge` and domain when it is verified. Throws
 * `bad_request` by name.
 */
export async function requestPresentation({ deps, tenant, deadlineAt }: Asking, asked: Asked) {
  const now = deps.clock.now().getTime()
  const { callbackUrl, did, expiresTime = now + standsForMs } = asked
  if (expiresTime <= now || expiresTime > now + longestMs)
    throw wrongField('expiresTime', 'Must be in the future, and within a year', expiresTime)
  const refusal = findUrlFault(callbackUrl, { allowLoopback: deps.config.outboundAllowLoopback, allowQuery: true })
  if (refusal) throw wrongField('callbackUrl', refusal, callbackUrl)
  const [template, key] = await Promise.all([
    findPresentationTemplate(deps.db.read, tenant.id, asked.templateId),
    findDidKey(deps.db.read, tenant.id, did, 'Ed25519', deps.clock.now()),
  ])
  if (!template) throw wrongField('templateId', 'Resource Not Found', asked.templateId)
  if (!key) throw wrongField('did', 'Must be a DID of this tenant with a key of Ed25519', did)

  const request = messageOf(template, { ...asked, expiresTime, now })
  const job = { tenantId: tenant.id, didUrl: did, payload: request, validUntil: expiresTime }
  const { jws } = await deps.keys.request('signMessages', job, { deadlineAt })
  return { id: request.id, callbackUrl, request, didcommUri: `didcomm://${tenant.baseUrl}/?request=${jws}` }
}

function messageOf(
  { id: templateId, domain, name, query }: PresentationTemplateRow,
  { did, callbackUrl, challenge, expiresTime, now }: Asked & { expiresTime: number; now: number },
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
