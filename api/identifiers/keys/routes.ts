import { z } from 'zod'
import { findPublishedKeys, type PublishedKeyRow, tenantItself } from '../../../db/repos/identifiers/keys.ts'
import {
  isKeyUseName,
  type KeyUseName,
  keyPurposes,
  keyUseNames,
} from '../../../shared/domain/identifiers/key-purposes.ts'
import { notFound } from '../../../shared/errors.ts'
import { newKeyId } from '../../../shared/ids.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { described } from '../../http/fields.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { KeyList, RotatedKey, RotatedWebhookKey } from './schemas.ts'

const tag = 'Keys'
const access = operators('admin')

/** What both routes that rotate have in common. The signing process writes the row of the audit, with what it tells. */
const rotation = { tag, method: 'POST', status: 201 } as const

export const keyRoutes = [
  defineRoute({
    operation: 'retrieveKeys',
    summary: "The tenant's own keys: those in use, and those before them that are still published",
    tag,
    method: 'GET',
    path: '/v1/keys',
    access,
    event: 'KEY_RETRIEVE_LIST',
    status: 200,
    response: KeyList,
    async handle({ tenantId, deps }) {
      const at = deps.clock.now()
      const lists = keyUseNames.map(async (use) => {
        const rows = await findPublishedKeys(deps.db.read, tenantId, tenantItself, keyPurposes[use], at)
        return rows.map((row) => presentKey(use, row))
      })
      return { data: (await Promise.all(lists)).flat() }
    },
  }),
  defineAuditedRoute({
    ...rotation,
    operation: 'rotateKeys',
    summary: 'Replace the keys of a purpose; what the old ones signed can still be verified',
    path: '/v1/keys/:purpose/rotate',
    access,
    event: 'KEY_ROTATE',
    params: z.object({
      purpose: described(z.string(), `What the keys are for: ${keyUseNames.join(', ')}`, 'credentials'),
    }),
    response: RotatedKey,
    problems: ['not_found', 'conflict', 'service_unavailable'],
    async handle({ tenantId, params: { purpose: use }, deps, changeInCompany, deadlineAt }) {
      if (!isKeyUseName(use)) throw notFound('purpose', use)
      const asked = { tenantId, use, keyId: newKeyId() }
      const { keyId } = await changeInCompany((by) => deps.keys.call('rotateKeys', { ...asked, by }, { deadlineAt }))
      deps.caches.metadata.delete(tenantId)
      return { id: keyId }
    },
  }),
  defineAuditedRoute({
    ...rotation,
    operation: 'rotateWebhookKey',
    summary: 'Replace the key that signs webhooks',
    tag: 'Webhooks',
    path: '/v1/webhooks/keys/rotate',
    access: operators('admin', 'issuer', 'managed-issuer'),
    event: 'WEBHOOK_KEY_ROTATE',
    response: RotatedWebhookKey,
    problems: ['conflict', 'service_unavailable'],
    async handle({ tenantId, deps, changeInCompany, deadlineAt }) {
      const asked = { tenantId, use: 'webhooks', keyId: newKeyId() } as const
      const { keyId } = await changeInCompany((by) => deps.keys.call('rotateKeys', { ...asked, by }, { deadlineAt }))
      return { kid: keyId }
    },
  }),
]

function presentKey(use: KeyUseName, { id, algorithm, createdAt, retiredAt, publishedUntil }: PublishedKeyRow) {
  return {
    id,
    purpose: use,
    algorithm,
    createdAt: createdAt.toISOString(),
    retiredAt: retiredAt?.toISOString() ?? null,
    publishedUntil: (retiredAt && publishedUntil?.toISOString()) ?? null,
  }
}
