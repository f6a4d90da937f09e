import { ServerResponse } from 'node:http'
import type { Context } from 'koa'
import type { Deadline } from '../../shared/deadline.ts'
import {
  EarlierAnswer,
  type IdempotencyClaim,
  type OperatorCall,
  type StoredAnswer,
  writtenAnswer,
} from './idempotency.ts'
import type { Presenter } from './representations/present.ts'
import type { RequestHooks } from './request-hooks.ts'
import type { Call, Route } from './route.ts'

/** The parts of a request with an `Idempotency-Key`. */
interface KeyedRequest {
  ctx: Context
  route: Route
  call: Call<never, never, never>
  hooks: RequestHooks
  presenter: Presenter
  media: ReturnType<Presenter['choose']>
  deadline: Deadline
}

/**
 * Claims the key and calls the handler. Returns the answer of the handler with the claim, or the answer of an earlier request with the
 * key. If the handler returns after the deadline, its answer is stored for the next request.
 */
export async function handleUnderKey(
  key: string,
  request: KeyedRequest,
): Promise<{ answer: unknown; claim: IdempotencyClaim } | { earlier: StoredAnswer }> {
  const { route, call, hooks, deadline } = request
  // Boundary: only routes of operators accept a key.
  const claimed = await hooks.claimKey(key, call as unknown as OperatorCall, route.completeEarlier)
  if ('earlier' in claimed) return claimed
  const { claim } = claimed
  const commitAnswer: typeof call.commitAnswer = async (tx, answer) => {
    return claim.store(...(await write(answer, request)), tx)
  }
  try {
    const answer = await route.handle({ ...call, deps: claim.deps, commitAnswer } as typeof call)
    if (deadline.isOver()) await claim.store(...(await write(answer, request)))
    return { answer, claim }
  } catch (error) {
    await claim.release(error)
    throw error
  }
}

/**
 * Handles a form under its key, like `handleUnderKey`. The transaction of the handler claims the key when it stores the answer, and is undone if
 * another request with the same form was faster.
 */
export async function handleFormUnderKey(
  key: string,
  request: KeyedRequest,
): Promise<{ answer: unknown } | { earlier: StoredAnswer }> {
  const { route, call, hooks } = request
  // Boundary: only routes of operators accept a key.
  const claimed = await hooks.claimFormKey(key, call as unknown as OperatorCall)
  if ('earlier' in claimed) return claimed
  const { file, store } = claimed.claim
  const commitAnswer: typeof call.commitAnswer = async (tx, answer) => store(tx, ...(await write(answer, request)))
  try {
    return { answer: await route.handle({ ...call, file, commitAnswer } as typeof call) }
  } catch (error) {
    if (error instanceof EarlierAnswer) return { earlier: error.answer }
    throw error
  }
}

/** Returns the answer as it is stored, with its content before it was serialized. */
async function write(
  answer: unknown,
  { ctx, call, presenter, media }: KeyedRequest,
): Promise<[written: StoredAnswer, data: unknown]> {
  const own = contextBeside(ctx)
  const data = await presenter.write(own, answer, media, call, 'whole')
  const written = writtenAnswer(own)
  own.res.emit('close')
  return [written, data]
}

/** Returns a context for an answer that is stored and not sent. It has the headers that the response has already. */
function contextBeside({ app, req, res }: Context): Context {
  // Boundary: a route reads no more of its context than Koa creates.
  const own = app.createContext(req, new ServerResponse(req)) as Context
  for (const [name, value] of Object.entries(res.getHeaders())) own.res.setHeader(name, value ?? '')
  return own
}
