import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from 'koa'
import { compiledOf } from '../compiled-schemas.ts'
import { type LargeAnswers, tooManyBytes } from '../large-answers.ts'
import type { Route } from '../route.ts'
import { Answer } from './answer.ts'
import { isKnown } from './conditional.ts'
import { type GenerationContext, makeResponsePayload } from './media.ts'
import { type Choice, negotiatorOf } from './negotiate.ts'
import { type PreparedResponse, prepareResponse } from './prepare-response.ts'
import { mediaOf, negotiatedOf, varyOf } from './representations.ts'
import { writeCaching, writeData, writePayload } from './write.ts'

/** Writes the answers of the handler of a route. */
export interface Presenter {
  /** Chooses the representation before the handler runs. Throws `not_acceptable` on a strict route. */
  choose(headers: IncomingHttpHeaders): Choice
  /** Writes an answer. Returns its data, for the events. With `whole` it ignores the conditions of the request. */
  write(ctx: Context, answered: unknown, chosen: Choice, context: GenerationContext, whole?: 'whole'): Promise<unknown>
}

export function presenterOf(route: Route, largeAnswers: LargeAnswers): Presenter {
  const { representations = {}, operation } = route
  const { statuses, etag, gzip, ranges, attachment } = representations
  const [main] = mediaOf(route)
  const picked = new Set(mediaOf(route).flatMap(({ kind, type }) => (kind === 'chosen' ? [type] : [])))
  if ((etag || ranges) && route.method !== 'GET') throw new Error(`${operation}: only a GET can have an ETag or ranges`)
  const isAlwaysPlain = !etag && !gzip && !ranges && !attachment
  const vary = varyOf(route).join(', ')
  return {
    choose: negotiatorOf(negotiatedOf(route), representations),
    async write(ctx, answered, chosen, context, whole) {
      const answer = answered instanceof Answer ? answered : new Answer(answered, {})
      const { body, as = chosen.media, status = route.status } = answer
      if (answer.as && !picked.has(as.type))
        throw new Error(`${operation} does not declare ${as.type} (chosenByHandler)`)
      // The schema removes members that the reference does not show.
      const schema = statuses?.[status]?.response ?? route.response
      const data = as.kind === 'handler' || body === undefined ? body : schema && compiledOf(schema).parse(body)

      const isSuccess = status === route.status
      const isPlain = data === undefined || (as.kind === 'json' && (isAlwaysPlain || !isSuccess))
      const prepared = isPlain
        ? undefined
        : await prepareResponse(isSuccess ? representations : {}, whole ? unconditional : ctx.req, answer, {
            type: as === main ? undefined : as.type,
            wantsGzip: chosen.wantsGzip && !(as.kind === 'handler' && as.isDense),
            make: () => makeResponsePayload(as, data, context),
          })
      if (
        prepared &&
        isSent(ctx.headers, prepared) &&
        !largeAnswers.hold(ctx.res, prepared.payload, context.tenant?.id)
      )
        throw tooManyBytes()
      ctx.set(answer.headers)
      if (vary) ctx.res.setHeader('Vary', vary)
      if (isSuccess) writeCaching(ctx, representations, answer)
      const { fileName } = answer
      const name = typeof fileName === 'function' ? fileName(as.type) : fileName
      if (prepared) writePayload(ctx, { status, ...prepared }, { type: as.type, fileName: attachment && name })
      else writeData(ctx, data, status)
      if (answer.onSent) ctx.res.once('finish', answer.onSent)
      return as.kind === 'handler' ? undefined : data
    },
  }
}

/** Whether bytes are sent to the client. A response that is written whole for the cache becomes 304 if the client has it. */
function isSent(
  headers: IncomingHttpHeaders,
  prepared: PreparedResponse,
): prepared is PreparedResponse & { payload: Uint8Array } {
  const { ETag: tag } = prepared.headers
  return prepared.payload instanceof Uint8Array && (tag === undefined || !isKnown(headers, tag))
}

const unconditional = { headers: {}, method: 'GET' }
