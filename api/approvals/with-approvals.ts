import { z } from 'zod'
import { ApprovalNeeded } from '../access/approvals.ts'
import { named, withoutExample } from '../http/fields.ts'
import type { OperatorCall } from '../http/idempotency.ts'
import type { Route } from '../http/route.ts'
import { ask } from './ask.ts'
import { approvalRules } from './rules.ts'
import { ApprovalView } from './schemas.ts'

/**
 * Returns the routes with a check whether a request needs the approval of another person or program. Such a request is stored, and answered with
 * 202 and the approval that waits. An approved request is executed by the routes without the check (decide.ts), or its sender sends it again.
 */
export function withApprovals(routes: readonly Route[]): Route[] {
  return routes.map((route) => (approvalRules[route.operation] ? withApproval(route) : route))
}

function withApproval(route: Route): Route {
  const rule = approvalRules[route.operation]
  if (!rule) return route
  return {
    ...route,
    ...withWaitingAnswer(route),
    problems: [...new Set([...(route.problems ?? []), 'conflict' as const])],
    async handle(call) {
      // Boundary: all operations with a rule are operations of operators.
      const operatorCall = call as unknown as OperatorCall
      const request = { operation: route.operation, kind: rule.kind }
      if (!rule.measure)
        return route.handle(call).catch((error) => {
          if (error instanceof ApprovalNeeded) return ask(operatorCall, { ...request, measure: error.measure })
          throw error
        })
      const { approvals } = operatorCall.tenant.settings
      const above = rule.kind === 'settings' ? 0 : approvals[rule.kind]
      if (above === undefined) return route.handle(call)
      const measure = await rule.measure(operatorCall)
      if (measure.objects <= above) return route.handle(call)
      return ask(operatorCall, { ...request, measure })
    },
  }
}

/**
 * Adds the answer with a waiting approval. It has the members of a success, so that programs which do not know approvals can read it. If the success
 * is also 202, its approval is optional.
 */
function withWaitingAnswer({ status, response, representations }: Route): Pick<Route, 'response' | 'representations'> {
  const object = response instanceof z.ZodObject ? response : z.object({})
  if (status === 202)
    return { response: object.extend({ approval: withoutExample(Approval.optional()) }).meta({ ...object.meta() }) }
  const waiting = {
    description: 'Nothing is changed. The request waits for an approval',
    response: named(
      `Waiting${object.meta()?.title ?? 'Request'}`,
      'A request that waits',
      object.extend({ approval: Approval }),
    ),
  }
  return { representations: { ...representations, statuses: { ...representations?.statuses, 202: waiting } } }
}

const Approval = ApprovalView.describe('The approval that the request waits for')
