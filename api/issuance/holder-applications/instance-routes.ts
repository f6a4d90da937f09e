import { z } from 'zod'
import type { Reader } from '../../../db/client.ts'
import { findHolderApplication } from '../../../db/repos/issuance/holder-applications.ts'
import {
  deleteHolderInstance,
  findHolderInstance,
  type HolderInstanceRow,
  listHolderInstances,
} from '../../../db/repos/issuance/holder-instances.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { auditedCrudOf } from '../../audit/audited-crud-of.ts'
import type { Collection } from '../../http/collection.ts'
import { idOf } from '../../http/fields.ts'
import { anyone, defineRoute, operators } from '../../http/route.ts'
import { newInstanceChallenge } from './challenge.ts'
import { presentInstance } from './present.ts'
import { registerInstance } from './register.ts'
import { ChallengeView, HolderInstanceView, NewHolderInstance, RegisteredInstance } from './schemas.ts'

const Params = z.object({ applicationId: idOf('holder application') })

const instances: Collection<HolderInstanceRow, typeof Params> = {
  tag: 'Holder applications',
  access: operators('admin', 'holder'),
  path: '/v1/holder/applications/:applicationId/instances',
  within: Params,
  id: 'instanceId',
  events: 'CREDENTIAL_HOLDER_APPLICATION_INSTANCE',
  view: HolderInstanceView,
  present: presentInstance,
}

export const instanceRoutes = [
  defineRoute({
    operation: 'createHolderApplicationChallenge',
    summary:
      'Create the challenge that a device attests with the key of an instance. It is valid once, for five minutes',
    tag: instances.tag,
    method: 'POST',
    path: '/v1/holder/applications/:applicationId/challenges',
    access: anyone,
    params: Params,
    status: 201,
    response: ChallengeView,
    problems: ['not_found'],
    async handle({ deps, tenant, params: { applicationId } }) {
      await requireApplication(deps.db.read, tenant.id, applicationId)
      const { challenge, expiresAt } = newInstanceChallenge(deps, tenant, applicationId)
      return { challenge, expiresAt: expiresAt.toISOString() }
    },
  }),
  defineRoute({
    operation: 'registerHolderApplicationInstance',
    summary: 'Register an instance of an app with its key',
    tag: instances.tag,
    method: 'POST',
    path: instances.path,
    access: anyone,
    event: 'CREDENTIAL_HOLDER_APPLICATION_INSTANCE_REGISTER',
    params: Params,
    body: NewHolderInstance,
    status: 201,
    response: RegisteredInstance,
    problems: ['not_found', 'conflict'],
    async handle({ deps, tenant, params: { applicationId }, body, clientAddress }) {
      return presentInstance(await registerInstance(deps, tenant, applicationId, body, clientAddress()))
    },
  }),
  ...auditedCrudOf(instances, {
    name: 'HolderApplicationInstance',
    list: {
      summary: 'List the registered instances of an app',
      problems: ['not_found'],
      async rows(db, tenantId, page, { params: { applicationId } }) {
        await requireApplication(db, tenantId, applicationId)
        return listHolderInstances(db, tenantId, applicationId, page)
      },
    },
    retrieve: {
      summary: 'Retrieve an instance of an app',
      async find(db, tenantId, id, { params: { applicationId } }) {
        await requireApplication(db, tenantId, applicationId)
        return findHolderInstance(db, tenantId, applicationId, id)
      },
    },
    delete: {
      summary: 'Delete an instance of an app',
      async remove(tx, { tenantId, id, params: { applicationId } }) {
        await requireApplication(tx, tenantId, applicationId)
        return deleteHolderInstance(tx, tenantId, applicationId, id)
      },
    },
  }),
]

async function requireApplication(db: Reader, tenantId: string, id: string): Promise<void> {
  if (!(await findHolderApplication(db, tenantId, id))) throw notFound('applicationId', id)
}
