import { z } from 'zod'
import { findHolderApplication } from '../../../db/repos/issuance/holder-applications.ts'
import {
  deleteHolderInstance,
  findHolderInstance,
  type HolderInstanceRow,
  listHolderInstances,
} from '../../../db/repos/issuance/holder-instances.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import type { Tenant } from '../../access/subjects.ts'
import { removeAudited } from '../../audit/audited-crud.ts'
import type { Deps } from '../../deps.ts'
import type { Collection } from '../../http/collection.ts'
import { listOf, retrieve } from '../../http/crud.ts'
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
      await requireApplication(deps, tenant, applicationId)
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
  listOf(instances, {
    operation: 'retrieveHolderApplicationInstances',
    summary: 'List the registered instances of an app',
    problems: ['not_found'],
    async rows({ tenant, params: { applicationId }, query: { limit, cursor }, deps }) {
      await requireApplication(deps, tenant, applicationId)
      return listHolderInstances(deps.db.read, tenant.id, applicationId, limit, cursor)
    },
  }),
  retrieve(instances, {
    operation: 'retrieveHolderApplicationInstance',
    summary: 'Retrieve an instance of an app',
    async find({ tenant, id, params: { applicationId }, deps }) {
      await requireApplication(deps, tenant, applicationId)
      return findHolderInstance(deps.db.read, tenant.id, applicationId, id)
    },
  }),
  removeAudited(instances, {
    operation: 'deleteHolderApplicationInstance',
    summary: 'Delete an instance of an app',
    async remove(tx, { tenantId, id, params: { applicationId } }) {
      const application = await findHolderApplication(tx, tenantId, applicationId)
      if (!application) throw notFound('applicationId', applicationId)
      return deleteHolderInstance(tx, tenantId, applicationId, id)
    },
  }),
]

async function requireApplication({ db }: Deps, tenant: Tenant, id: string): Promise<void> {
  if (!(await findHolderApplication(db.read, tenant.id, id))) throw notFound('applicationId', id)
}
