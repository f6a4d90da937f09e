import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from 'koa'
import { type LargeAnswers, tooManyBytes } from '../large-answers.ts'
import type { Route } from '../route.ts'
import { Answer } from './answer.ts'
import { isKnown } from './conditional.ts'
import { type Conveyed, convey } from './convey.ts'
import { type Making, makeResponsePayload } from './media.ts'
import { type Choice, chooserOf } from './negotiate.ts'
import { mediaOf, negotiatedOf, varyOf } from './representations.ts'
import { writeCaching, writeData, writePayload } from './write.ts'

/** Writes the answers of the handler of a route. */
export interface Presenter {
  /** Chooses the representation before the handler runs. Throws `not_acceptable` on a strict route. */
  choose(headers: IncomingHttpHeaders): Choice
  /** Writes an answer. Returns its data, for the events. With `whole` it ignores the conditions of the request. */
  write(ctx: Context, answered: unknown, chosen: Choice, making: Making, whole?: 'whole'): Promise<unknown>
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
    choose: chooserOf(negotiatedOf(route), representations),
    async write(ctx, answered, chosen, making, whole) {
      const answer = answered instanceof Answer ? answered : new Answer(answered, {})
      const { body, as = chosen.media, status = route.status } = answer
      if (answer.as && !picked.has(as.type))
        throw new Error(`${operation} does not declare ${as.type} (chosenByHandler)`)
      // The schema removes members that the reference does not show.
      const schema = statuses?.[status]?.response ?? route.response
      const data = as.kind === 'given' || body === undefined ? body : schema?.parse(body)

      const isSuccess = status === route.status
      const isPlain = data === undefined || (as.kind === 'json' && (isAlwaysPlain || !isSuccess))
      const conveyed = isPlain
        ? undefined
        : await convey(isSuccess ? representations : {}, whole ? unconditional : ctx.req, answer, {
            type: as === main ? undefined : as.type,
            wantsGzip: chosen.wantsGzip && !(as.kind === 'given' && as.isDense),
            make: () => makeResponsePayload(as, data, making),
          })
      if (conveyed && isSent(ctx.headers, conveyed) && !largeAnswers.hold(ctx.res, conveyed.payload, making.tenant?.id))
        throw tooManyBytes()
      ctx.set(answer.headers)
      if (vary) ctx.res.setHeader('Vary', vary)
      if (isSuccess) writeCaching(ctx, representations, answer)
      if (conveyed)
        writePayload(ctx, { status, ...conveyed }, { type: as.type, fileName: attachment && answer.fileName })
      else writeData(ctx, data, status)
      if (answer.onSent) ctx.res.once('finish', answer.onSent)
      return as.kind === 'given' ? undefined : data
    },
  }
}

/** Whether bytes are sent to the client. A response that is written whole for the cache becomes 304 if the client has it. */
function isSent(headers: IncomingHttpHeaders, conveyed: Conveyed): conveyed is Conveyed & { payload: Uint8Array } {
  const { ETag: tag } = conveyed.headers
  return conveyed.payload instanceof Uint8Array && (tag === undefined || !isKnown(headers, tag))
}

const unconditional = { headers: {}, method: 'GET' }
