import { hold, holdShared } from '../../../db/hold.ts'
import { findPolicyParticipants } from '../../../db/repos/ecosystems/listed-participants.ts'
import { publishParticipantPolicy, writeParticipantPolicy } from '../../../db/repos/ecosystems/participant-policy.ts'
import { deletePolicy } from '../../../db/repos/ecosystems/policies.ts'
import { ecosystems } from '../../../db/tables/ecosystems/ecosystems.ts'
import type { ParticipantRole } from '../../../db/tables/ecosystems/participants.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { idOf } from '../../http/fields.ts'
import { handlerMedia } from '../../http/representations/media.ts'
import { anyone, defineRoute, type Route } from '../../http/route.ts'
import { EcosystemParams, providerAccess, readerAccess } from '../ecosystems/access.ts'
import { getEcosystem } from '../ecosystems/get-ecosystem.ts'
import { answerPolicy, publicPolicy } from './published.ts'
import { participantPolicySchemas } from './schemas.ts'

const ofPolicy = (role: ParticipantRole) => EcosystemParams.extend({ policyId: idOf(`${role} policy`) })
const representations = { media: [handlerMedia('application/json')] } as const

/** Routes for the policies of a role: the trusted issuers or verifiers of an ecosystem, with their certificates. */
export function participantPolicyRoutes(role: ParticipantRole): Route[] {
  const path = `/v1/ecosystems/:ecosystemId/${role}-policies`
  return [...operatorRoutes(role, path), removalRoute(role, path), ...publicRoutes(role, path)]
}

function operatorRoutes(role: ParticipantRole, path: string): Route[] {
  const { noun, events, tag } = namesOf(role)
  const { preview, published } = participantPolicySchemas(role)
  return [
    defineAuditedRoute({
      operation: `publish${noun}`,
      summary: `Publish the ${role} policy of an ecosystem as it is now`,
      tag,
      method: 'POST',
      path,
      access: providerAccess,
      event: `${events}_PUBLISH`,
      params: EcosystemParams,
      status: 201,
      response: published,
      representations,
      problems: ['bad_request', 'not_found', 'conflict'],
      async handle({ tenantId, params: { ecosystemId }, deps, change, commitAnswer }) {
        return change(async (tx, record) => {
          // The lock prevents changes of the ecosystem while the policy is written.
          if (!(await hold(tx, ecosystems, tenantId, ecosystemId))) throw notFound('ecosystemId', ecosystemId)
          const at = deps.clock.now()
          const id = newOrderedId(at)
          record(tenantId, { id, ecosystemId })
          const participants = await findPolicyParticipants(tx, { tenantId, ecosystemId, role, at })
          const content = { id, tenantId, ecosystemId, listId: null, role, participants, at }
          const policy = await publishParticipantPolicy(tx, content)
          await commitAnswer(tx, policy)
          return policy
        })
      },
    }),
    defineRoute({
      operation: `preview${noun}`,
      summary: `Preview the ${role} policy of an ecosystem`,
      tag,
      method: 'GET',
      path: `${path}/preview`,
      access: readerAccess,
      event: `${events}_PREVIEW_RETRIEVE`,
      params: EcosystemParams,
      status: 200,
      response: preview,
      representations,
      problems: ['bad_request', 'not_found', 'conflict'],
      async handle({ tenantId, params: { ecosystemId }, deps }) {
        await getEcosystem(deps.db.read, tenantId, ecosystemId)
        const filter = { tenantId, ecosystemId, role, at: deps.clock.now() }
        return writeParticipantPolicy(role, await findPolicyParticipants(deps.db.read, filter))
      },
    }),
  ]
}

function removalRoute(role: ParticipantRole, path: string): Route {
  const { noun, events, tag } = namesOf(role)
  return defineAuditedRoute({
    operation: `delete${noun}`,
    summary: `Delete a published ${role} policy permanently. The latest remaining policy becomes the latest one.`,
    tag,
    method: 'DELETE',
    path: `${path}/:policyId`,
    access: providerAccess,
    event: `${events}_DELETE`,
    params: ofPolicy(role),
    status: 204,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params: { ecosystemId, policyId: id }, change }) {
      await change(async (tx, record) => {
        if (!(await holdShared(tx, ecosystems, tenantId, ecosystemId))) throw notFound('ecosystemId', ecosystemId)
        if (!(await deletePolicy(tx, tenantId, ecosystemId, role, id))) throw notFound('policyId', id)
        record(tenantId, { id, ecosystemId })
      })
    },
  })
}

function publicRoutes(role: ParticipantRole, path: string): Route[] {
  const { noun, events, tag } = namesOf(role)
  const common = {
    tag,
    method: 'GET',
    access: anyone,
    event: `${events}_RETRIEVE`,
    aggregatesAnonymousEvents: true,
    status: 200,
    response: participantPolicySchemas(role).published,
    representations: publicPolicy,
  } as const
  return [
    defineRoute({
      ...common,
      operation: `retrieveLatest${noun}`,
      summary: `Retrieve the latest published ${role} policy of an ecosystem`,
      path: `${path}/public/latest`,
      params: EcosystemParams,
      problems: ['bad_request', 'not_found'],
      handle: ({ tenantId, params: { ecosystemId }, deps }) =>
        answerPolicy(deps, { tenantId, ecosystemId, kind: role, id: 'latest', param: 'ecosystemId' }),
    }),
    defineRoute({
      ...common,
      operation: `retrieve${noun}`,
      summary: `Retrieve a published ${role} policy of an ecosystem`,
      path: `${path}/public/:policyId`,
      params: ofPolicy(role),
      problems: ['bad_request', 'not_found'],
      handle: ({ tenantId, params: { ecosystemId, policyId: id }, deps }) =>
        answerPolicy(deps, { tenantId, ecosystemId, kind: role, id, param: 'policyId' }),
    }),
  ]
}

function namesOf(role: ParticipantRole) {
  const noun = role === 'issuer' ? 'IssuerPolicy' : 'VerifierPolicy'
  return { noun, events: `ECOSYSTEM_${role.toUpperCase()}_POLICY`, tag: 'Ecosystems' }
}
