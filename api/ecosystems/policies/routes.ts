import { hold } from '../../../db/hold.ts'
import { deletePolicies, insertPolicy } from '../../../db/repos/ecosystems/policies.ts'
import { ecosystems } from '../../../db/tables/ecosystems/ecosystems.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import { handlerMedia } from '../../http/representations/media.ts'
import { anyone, defineRoute } from '../../http/route.ts'
import { EcosystemParams, providerAccess, readerAccess } from '../ecosystems/access.ts'
import { getEcosystem } from '../ecosystems/get-ecosystem.ts'
import { participantPolicyRoutes } from './participant-policy-routes.ts'
import { answerPolicy, publicPolicy } from './published.ts'
import { PolicyPreview, Publication, PublishedPolicy } from './schemas.ts'
import { writePolicy } from './write-policy.ts'

const tag = 'Ecosystems'

export const policyRoutes = [
  ...participantPolicyRoutes('issuer'),
  ...participantPolicyRoutes('verifier'),
  defineAuditedRoute({
    operation: 'publishEcosystemPolicy',
    summary: 'Publish the policy of an ecosystem as it is now',
    tag,
    method: 'POST',
    path: '/v1/ecosystems/:ecosystemId/policies',
    access: providerAccess,
    event: 'ECOSYSTEM_POLICY_CREATE',
    params: EcosystemParams,
    status: 201,
    response: Publication,
    problems: ['bad_request', 'not_found', 'conflict'],
    async handle({ tenantId, params: { ecosystemId }, deps, change, commitAnswer }) {
      return change(async (tx, record) => {
        // The lock prevents changes of the ecosystem while the policy is written.
        const ecosystem = await hold(tx, ecosystems, tenantId, ecosystemId)
        if (!ecosystem) throw notFound('ecosystemId', ecosystemId)
        const publishedAt = deps.clock.now()
        const content = await writePolicy(tx, ecosystem, publishedAt)
        const policy = { id: newOrderedId(publishedAt), tenantId, ecosystemId, kind: 'general', content } as const
        await deletePolicies(tx, tenantId, ecosystemId, 'general')
        await insertPolicy(tx, { ...policy, listId: null, publishedAt })
        record(tenantId, { id: policy.id, ecosystemId })
        const view = { id: policy.id, policyPublishedAt: publishedAt.toISOString() }
        await commitAnswer(tx, view)
        return view
      })
    },
  }),
  defineRoute({
    operation: 'previewEcosystemPolicy',
    summary: 'Preview the policy of an ecosystem',
    tag,
    method: 'GET',
    path: '/v1/ecosystems/:ecosystemId/preview',
    access: readerAccess,
    event: 'ECOSYSTEM_POLICY_PREVIEW_RETRIEVE',
    params: EcosystemParams,
    status: 200,
    response: PolicyPreview,
    representations: { media: [handlerMedia('application/json')] },
    problems: ['bad_request', 'not_found', 'conflict'],
    async handle({ tenantId, params: { ecosystemId }, deps }) {
      return writePolicy(deps.db.read, await getEcosystem(deps.db.read, tenantId, ecosystemId))
    },
  }),
  defineRoute({
    operation: 'retrieveLatestEcosystemPolicy',
    summary: 'Retrieve the latest published policy of an ecosystem',
    tag,
    method: 'GET',
    path: '/v1/ecosystems/:ecosystemId/policies/public/latest',
    access: anyone,
    event: 'ECOSYSTEM_POLICY_RETRIEVE_LATEST',
    aggregatesAnonymousEvents: true,
    params: EcosystemParams,
    status: 200,
    response: PublishedPolicy,
    representations: publicPolicy,
    problems: ['bad_request', 'not_found'],
    handle: ({ tenantId, params: { ecosystemId }, deps }) =>
      answerPolicy(deps, { tenantId, ecosystemId, kind: 'general', id: 'latest', param: 'ecosystemId' }),
  }),
]
