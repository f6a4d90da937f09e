import { z } from 'zod'
import { withoutExample } from '../http/fields.ts'
import type { OperatorCall } from '../http/idempotency.ts'
import type { Route } from '../http/route.ts'
import { ask } from './ask.ts'
import { approvalRules } from './rules.ts'
import { ApprovalView, WaitingApproval } from './schemas.ts'

/**
 * Returns the routes with a check whether a request needs the approval of another person or program. Such a request is stored, and answered with
 * 202 and the approval that waits. An approved request is executed by the routes without the check (decide.ts).
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
      const { approvals } = operatorCall.tenant.settings
      const above = rule.kind === 'settings' ? 0 : approvals[rule.kind]
      if (above === undefined) return route.handle(call)
      const measure = await rule.measure(operatorCall)
      if (measure.objects <= above) return route.handle(call)
      return ask(operatorCall, { operation: route.operation, kind: rule.kind, measure })
    },
  }
}

/** Adds the answer with a waiting approval. If the success of the operation is 202, its answer gets a member more. */
function withWaitingAnswer({ status, response, representations }: Route): Pick<Route, 'response' | 'representations'> {
  if (status === 202 && response instanceof z.ZodObject) {
    const approval = withoutExample(ApprovalView.optional().describe('The approval that the request waits for'))
    return { response: response.extend({ approval }).meta({ ...response.meta() }) }
  }
  const waiting = { description: 'The request waits for an approval', response: WaitingApproval }
  return { representations: { ...representations, statuses: { ...representations?.statuses, 202: waiting } } }
}
