import {
  type CredentialTypeRow,
  deleteCredentialType,
  findCredentialType,
  insertCredentialType,
  listCredentialTypes,
} from '../../../db/repos/ecosystems/credential-types.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { createAudited, removeAudited } from '../../audit/audited-crud.ts'
import type { Collection } from '../../http/collection.ts'
import { listOf, retrieve } from '../../http/crud.ts'
import { EcosystemParams, providerAccess, readerAccess } from '../ecosystems/access.ts'
import { enforceEcosystemQuota, getEcosystem, lockEcosystem } from '../ecosystems/get-ecosystem.ts'
import { presentCredentialType } from './present.ts'
import { CredentialTypeView, NewCredentialType } from './schemas.ts'

const types: Collection<CredentialTypeRow, typeof EcosystemParams> = {
  tag: 'Ecosystems',
  access: providerAccess,
  path: '/v1/ecosystems/:ecosystemId/credentials',
  within: EcosystemParams,
  id: 'credentialId',
  events: 'ECOSYSTEM_CREDENTIAL',
  view: CredentialTypeView,
  present: presentCredentialType,
}
const read = { ...types, access: readerAccess }

export const credentialTypeRoutes = [
  createAudited(types, {
    operation: 'createCredentialType',
    summary: 'Add a credential type to an ecosystem',
    body: NewCredentialType,
    unique: ['profile', 'type'],
    problems: ['not_found', 'conflict'],
    async handle({ tenant, tenantId, params: { ecosystemId }, body, deps, change }) {
      const createdAt = deps.clock.now()
      const row = { id: newOrderedId(createdAt), tenantId, ecosystemId, ...body, createdAt }
      return change(async (tx, record) => {
        await lockEcosystem(tx, tenantId, ecosystemId, createdAt)
        await enforceEcosystemQuota(tx, tenant, ecosystemId, 'ecosystemCredentialTypes')
        if (!(await insertCredentialType(tx, row)))
          throw new Problem('conflict', { message: 'The ecosystem already has this type of this profile' })
        record(tenantId, { id: row.id, ecosystemId })
        return row
      })
    },
  }),
  listOf(read, {
    operation: 'retrieveCredentialTypes',
    summary: 'List the credential types of an ecosystem',
    problems: ['not_found'],
    async rows({ tenantId, params: { ecosystemId }, query, deps }) {
      await getEcosystem(deps.db.read, tenantId, ecosystemId)
      return listCredentialTypes(deps.db.read, tenantId, ecosystemId, query.limit, query.cursor)
    },
  }),
  retrieve(read, {
    operation: 'retrieveCredentialType',
    summary: 'Retrieve a credential type of an ecosystem',
    async find({ tenantId, params: { ecosystemId }, id, deps }) {
      await getEcosystem(deps.db.read, tenantId, ecosystemId)
      return findCredentialType(deps.db.read, tenantId, ecosystemId, id)
    },
  }),
  removeAudited(types, {
    operation: 'deleteCredentialType',
    summary: 'Delete a credential type of an ecosystem, with its assignments',
    async remove(tx, { tenantId, params: { ecosystemId }, id, deps }) {
      await lockEcosystem(tx, tenantId, ecosystemId, deps.clock.now())
      return deleteCredentialType(tx, tenantId, ecosystemId, id)
    },
  }),
]
