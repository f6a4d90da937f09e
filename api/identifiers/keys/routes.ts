import { z } from 'zod'
import { type InventoryRow, listKeyInventory } from '../../../db/repos/identifiers/key-inventory.ts'
import { findPublishedKeys, type PublishedKeyRow, tenantOwner } from '../../../db/repos/identifiers/keys.ts'
import {
  isKeyUseName,
  type KeyUseName,
  keyPurposes,
  keyUseNames,
} from '../../../shared/domain/identifiers/key-purposes.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { newKeyId } from '../../../shared/ids.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import type { Collection } from '../../http/collection.ts'
import { listOf } from '../../http/crud.ts'
import { described } from '../../http/fields.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { presentInventoryKey } from './inventory.ts'
import { InventoryKey, KeyList, RotatedKey, RotatedWebhookKey } from './schemas.ts'

const tag = 'Keys'
const access = operators('admin')

const inventory: Collection<InventoryRow> = {
  ...{ tag, access, path: '/v1/keys/inventory', id: 'keyId', events: 'KEY_INVENTORY', view: InventoryKey },
  present: presentInventoryKey,
}

/** The common part of both rotations. The signing process writes the audit entry in its own transaction. */
const rotation = { tag, method: 'POST', status: 201 } as const

export const keyRoutes = [
  defineRoute({
    operation: 'retrieveKeys',
    summary: "List the tenant's own keys: the keys in use, and replaced keys that are still published",
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
        const rows = await findPublishedKeys(deps.db.read, tenantId, tenantOwner, keyPurposes[use], at)
        return rows.map((row) => presentKey(use, row))
      })
      return { data: (await Promise.all(lists)).flat() }
    },
  }),
  listOf(inventory, {
    operation: 'retrieveKeyInventory',
    summary: "List all keys: the tenant's own ones, and those of its DIDs and certificates",
    rows: ({ tenantId, query, deps }) => listKeyInventory(deps.db.read, tenantId, query),
  }),
  defineAuditedRoute({
    ...rotation,
    operation: 'rotateKeys',
    summary: 'Replace the keys of a purpose. Signatures of the old keys can still be verified.',
    path: '/v1/keys/:purpose/rotate',
    access,
    event: 'KEY_ROTATE',
    params: z.object({
      purpose: described(z.string(), `The purpose of the keys: ${keyUseNames.join(', ')}`, 'credentials'),
    }),
    response: RotatedKey,
    problems: ['not_found', 'conflict', 'service_unavailable'],
    async handle({ tenantId, params: { purpose: use }, deps, changeInSharedTransaction, deadlineAt }) {
      if (!isKeyUseName(use)) throw unknownPurpose(use)
      const input = { tenantId, use, keyId: newKeyId() }
      const { keyId } = await changeInSharedTransaction((by) =>
        deps.keys.call('rotateKeys', { ...input, by }, { deadlineAt }),
      )
      deps.caches.forgetTenant(tenantId)
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
    async handle({ tenantId, deps, changeInSharedTransaction, deadlineAt }) {
      const input = { tenantId, use: 'webhooks', keyId: newKeyId() } as const
      const { keyId } = await changeInSharedTransaction((by) =>
        deps.keys.call('rotateKeys', { ...input, by }, { deadlineAt }),
      )
      return { kid: keyId }
    },
  }),
]

function presentKey(
  use: KeyUseName,
  { id, algorithm, provider, createdAt, retiredAt, publishedUntil }: PublishedKeyRow,
) {
  return {
    id,
    purpose: use,
    algorithm,
    provider,
    createdAt: createdAt.toISOString(),
    retiredAt: retiredAt?.toISOString() ?? null,
    publishedUntil: (retiredAt && publishedUntil?.toISOString()) ?? null,
  }
}

function unknownPurpose(value: string): Problem {
  const msg = `Must be one of ${keyUseNames.join(', ')}`
  return new Problem('not_found', { details: [{ msg, param: 'purpose', location: 'params', value }] })
}
