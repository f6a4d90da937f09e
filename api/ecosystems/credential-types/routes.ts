import {
  type CredentialTypeRow,
  deleteCredentialType,
  findCredentialType,
  insertCredentialType,
  listCredentialTypes,
} from '../../../db/repos/ecosystems/credential-types.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { auditedCrudOf } from '../../audit/audited-crud-of.ts'
import type { Collection } from '../../http/collection.ts'
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

export const credentialTypeRoutes = auditedCrudOf(types, {
  name: 'CredentialType',
  readers: readerAccess,
  create: {
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
  },
  list: {
    summary: 'List the credential types of an ecosystem',
    problems: ['not_found'],
    async rows(db, tenantId, page, { params: { ecosystemId } }) {
      await getEcosystem(db, tenantId, ecosystemId)
      return listCredentialTypes(db, tenantId, ecosystemId, page)
    },
  },
  retrieve: {
    summary: 'Retrieve a credential type of an ecosystem',
    async find(db, tenantId, id, { params: { ecosystemId } }) {
      await getEcosystem(db, tenantId, ecosystemId)
      return findCredentialType(db, tenantId, ecosystemId, id)
    },
  },
  delete: {
    summary: 'Delete a credential type of an ecosystem, with its assignments',
    async remove(tx, { tenantId, params: { ecosystemId }, id, deps }) {
      await lockEcosystem(tx, tenantId, ecosystemId, deps.clock.now())
      return deleteCredentialType(tx, tenantId, ecosystemId, id)
    },
  },
})
