import { signal } from '@preact/signals'
import createClient from 'openapi-fetch'
import type { components, paths } from '../../../../shared/client/api.d.ts'
import type { Fetched } from '../../../../shared/client/errors.ts'
import { createSending } from '../../../../shared/client/sending.ts'
import { confirmChange } from './managed.ts'
import { declined, foreign, isForeign, offline, type Problem, problemOf } from './problem.ts'
import { logRequest } from './request-log.ts'
import { isUserActive } from './user-activity.ts'

export { newIdempotencyKey } from '../../../../shared/client/sending.ts'

export type Schemas = components['schemas']

/** A user waits for the result. */
const maxRetryMs = 3_000

/** The client of the API, typed by the OpenAPI document. The browser adds the session cookie. */
export const api = createClient<paths>({
  baseUrl: location.origin,
  fetch: createSending({ maxRetryMs }, (...request) => fetch(...request)),
})
api.use({
  async onRequest({ request }) {
    if (!(await confirmChange(request))) throw new DeclinedChange()
    // Pages of other origins cannot send this header.
    request.headers.set('X-Console', isUserActive() ? '1' : 'poll')
    return logRequest(request)
  },
  onResponse({ response }) {
    // Checks the content type before the body is parsed as JSON.
    if (response.ok && isForeign(response)) throw new ForeignAnswer()
  },
})

/** True from the first response with status 401 until the user signs in again. */
export const isSignedOut = signal(false)

/** Counts sign-ins. The screen reads its data again when the count rises. */
export const signIns = signal(0)

export type Answered<Data> = { data: Data; etag?: string; problem?: never } | { problem: Problem; data?: never }

class ForeignAnswer extends Error {}
class DeclinedChange extends Error {}

/** Awaits a request of `api`. Returns a problem for errors of the service, the network or a proxy, and if
 * the user cancels. Does not throw for them. */
export async function callApi<Data>(request: Promise<Fetched<Data>>): Promise<Answered<NonNullable<Data>>> {
  try {
    const { data, error, response } = await request
    if (response.status === 401) isSignedOut.value = true
    if (!response.ok) return { problem: problemOf(response, error) }
    const etag = response.headers.get('ETag')
    // Boundary: a response without a body has no data, and its caller does not read data.
    return { data: data as NonNullable<Data>, ...(etag && { etag }) }
  } catch (error) {
    if (error instanceof DeclinedChange) return { problem: declined }
    if (error instanceof TypeError) return { problem: offline }
    // A SyntaxError means that the content type is JSON and the body is not.
    if (error instanceof ForeignAnswer || error instanceof SyntaxError) return { problem: foreign }
    throw error
  }
}
