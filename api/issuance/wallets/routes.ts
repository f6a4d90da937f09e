import { hold } from '../../../db/hold.ts'
import {
  deleteOAuthClient,
  findOAuthClient,
  insertOAuthClient,
  listOAuthClients,
  type OAuthClientRow,
  updateOAuthClient,
} from '../../../db/repos/issuance/wallets.ts'
import { oauthClients } from '../../../db/tables/issuance/wallets.ts'
import { changedFieldNames } from '../../../shared/changed-fields.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { enforceQuota } from '../../access/enforce-quota.ts'
import { auditedCrudOf } from '../../audit/audited-crud-of.ts'
import type { Versioned } from '../../http/collection.ts'
import { afterPut } from '../../http/kept.ts'
import { operators } from '../../http/route.ts'
import { NewOAuthClient, noAttestation, OAuthClientUpdate, OAuthClientView } from './schemas.ts'

const clients: Versioned<OAuthClientRow> = {
  tag: 'OAuth clients',
  access: operators('admin', 'issuer', 'managed-issuer'),
  path: '/v1/openid/clients',
  id: 'id',
  events: 'OPENID_OAUTH_CLIENT',
  view: OAuthClientView,
  hasVersions: true,
  present,
}

export const oauthClientRoutes = auditedCrudOf(clients, {
  name: 'OAuthClient',
  create: {
    summary: 'Register a wallet',
    body: NewOAuthClient,
    unique: ['clientId'],
    problems: ['conflict'],
    async handle({ tenantId, body, deps, change }) {
      const createdAt = deps.clock.now()
      const id = newOrderedId(createdAt)
      const row = { ...body, id, tenantId, clientId: body.clientId ?? id, createdAt }
      const created = await change(async (tx, record) => {
        await enforceQuota(tx, tenantId, 'oauthClients')
        const created = await insertOAuthClient(tx, row)
        if (!created)
          throw new Problem('conflict', { message: 'Another client has this clientId. Choose another one.' })
        record(tenantId, { id })
        return created
      })
      deps.caches.forgetTenant(tenantId)
      return created
    },
  },
  list: { summary: 'List the registered wallets', rows: listOAuthClients },
  retrieve: { summary: 'Retrieve a registered wallet', find: findOAuthClient },
  update: {
    summary: 'Update a registered wallet',
    body: OAuthClientUpdate,
    async handle({ tenantId, id, body, deps, change, requireMatch }) {
      const changed = await change(async (tx, record) => {
        const before = await hold(tx, oauthClients, tenantId, id)
        if (!before) throw notFound('id', id)
        await requireMatch(before)
        const attestation = afterPut(body.attestation, before.attestation, noAttestation)
        const dpopRequired = afterPut(body.dpopRequired, before.dpopRequired, false)
        const after = await updateOAuthClient(tx, tenantId, id, { ...body, attestation, dpopRequired })
        if (!after) throw notFound('id', id)
        record(tenantId, { id, changed: changedFieldNames(before, after) })
        return after
      })
      deps.caches.forgetTenant(tenantId)
      return changed
    },
  },
  delete: {
    summary: 'Delete a registered wallet',
    remove: (tx, { tenantId, id }) => deleteOAuthClient(tx, tenantId, id),
    removed: ({ tenantId, deps }) => deps.caches.forgetTenant(tenantId),
  },
})

function present({ id, clientId, name, redirectUris, attestation, dpopRequired }: OAuthClientRow) {
  return { id, clientId, name, redirectUris, attestation, dpopRequired }
}
