import type { Context } from 'koa'
import type { Tracing } from '../../shared/tracing/tracing.ts'
import type { Request } from './call.ts'
import type { Route } from './route.ts'

/**
 * Runs a request in a span. The trace is decided during the request: an operator begins or continues one, and a wallet joins that of its
 * offer or authorization. A request that does neither has no span. A `traceparent` header counts only from an authenticated operator.
 */
export function traceRequest(
  tracing: Tracing,
  { operation }: Route,
  ctx: Context,
  request: Request,
  serve: () => Promise<void>,
): Promise<void> {
  return tracing.request(operation, serve, (segment) => {
    const { requestId, tenant, offerId, names } = request
    const { clientId } = ctx.state
    segment.set({
      'http.request.method': ctx.method,
      'http.response.status_code': ctx.status,
      'trustwright.request.id': requestId,
      'trustwright.tenant.id': tenant?.id,
      'trustwright.offer.id': offerId,
      'trustwright.session.id': names?.sessionId ?? undefined,
      'trustwright.client.id': typeof clientId === 'string' ? clientId : undefined,
    })
    if (ctx.status >= 500) segment.fail()
  })
}
