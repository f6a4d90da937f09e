import type { Context } from 'koa'
import { Problem } from '../../shared/errors/errors.ts'
import type { Application } from './application.ts'
import type { Call, OperatorAccess, Route } from './route.ts'

/** A response that a repeated request gets again. */
export interface StoredAnswer {
  status: number
  headers: Record<string, string | string[]>
  /** base64 */
  body: string
}

/** The claim of a request on its `Idempotency-Key`. */
export interface IdempotencyClaim {
  /** The dependencies of the handler. Their changes are committed only if the request still has the key. */
  deps: Application['deps']
  /**
   * Stores the answer, in the transaction if one is given. Does nothing if a committed transaction has stored it. `data` is its content
   * before it was serialized.
   */
  store(answer: StoredAnswer, data: unknown, tx?: Application['writer']): Promise<void>
  /** Releases the key of a request that failed with `error`, unless it may have changed something. */
  release(error: unknown): Promise<void>
}

/** The claim of a form on its `Idempotency-Key`. Until `store` it holds nothing, so that an upload that is cut off leaves the key free. */
export interface FormClaim {
  /** The `file` of the call. What the handler reads of it is part of the fingerprint. */
  file: OperatorCall['file']
  /**
   * Claims the key and stores the answer, in the transaction of the change. `data` is its content before it was serialized. Throws
   * `EarlierAnswer` if the same form has got the key since the request began, and 422 if another request has.
   */
  store(tx: Application['writer'], answer: StoredAnswer, data: unknown): Promise<void>
}

/** Undoes the change of a repeated request, which gets this answer. */
export class EarlierAnswer extends Error {
  readonly answer: StoredAnswer

  constructor(answer: StoredAnswer) {
    super('an earlier request has created it')
    this.answer = answer
  }
}

export type OperatorCall = Call<unknown, unknown, unknown, OperatorAccess>

/** Whether an operation accepts an `Idempotency-Key`: it is a POST of operators that creates something. */
export function acceptsIdempotencyKey({ method, access, status, creates }: Route): boolean {
  return method === 'POST' && access.kind === 'operators' && (status !== 200 || creates === true)
}

/** Headers of each response, which a repeated request does not take from the first one. */
const ownHeaders = new Set(['x-request-id', 'x-api-version', 'x-content-type-options', 'content-length', 'connection'])

/** Returns the response that the presenter has written. */
export function writtenAnswer({ status, body, res }: Context): StoredAnswer {
  const kept = Object.entries(res.getHeaders()).filter(([name]) => !ownHeaders.has(name))
  const headers = Object.fromEntries(
    kept.map(([name, value = '']) => [name, Array.isArray(value) ? value : `${value}`]),
  )
  return { status, headers, body: bytesOf(body).toString('base64') }
}

function bytesOf(body: unknown): Buffer {
  if (body === null || body === undefined) return Buffer.alloc(0)
  if (Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

/** Writes the response of the first request. Returns its data, for the events. */
export function writeStoredAnswer(ctx: Context, { status, headers, body }: StoredAnswer): unknown {
  const bytes = Buffer.from(body, 'base64')
  ctx.body = bytes.length > 0 ? bytes : null
  ctx.status = status
  ctx.set({ ...headers, 'Idempotency-Replayed': 'true' })
  return ctx.type === 'application/json' && bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined
}

const keyPattern = /^[\x21-\x7e]{1,255}$/

/** Returns the `Idempotency-Key` of the request (draft-ietf-httpapi-idempotency-key-header, section 2.1), with or without quotes. */
export function idempotencyKeyOf(route: Route, { headers }: Pick<Call<unknown, unknown, unknown>, 'headers'>) {
  const { 'idempotency-key': sent } = headers
  if (sent === undefined || !acceptsIdempotencyKey(route)) return undefined
  const key = String(sent).replace(/^"(.*)"$/, '$1')
  if (keyPattern.test(key)) return key
  const msg = 'Must have 1 to 255 visible ASCII characters'
  throw new Problem('bad_request', { details: [{ msg, param: 'Idempotency-Key', location: 'headers' }] })
}

/** The header in the reference. */
export const idempotencyKeyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A new random value for each creation. A request that is repeated with it within 24 hours gets the answer of the first one, and nothing is created twice',
  schema: { type: 'string', maxLength: 255 },
}
