import { signal } from '@preact/signals'
import createClient from 'openapi-fetch'
import type { components, paths } from '../api.d.ts'
import { foreign, isForeign, offline, type Problem, problemOf } from './problem.ts'
import { logRequest } from './request-log.ts'
import { isUserActive } from './user-activity.ts'

export type Schemas = components['schemas']

/** The API, by the types of its own reference. The browser adds the session's cookie. */
export const api = createClient<paths>({ baseUrl: location.origin })
api.use({
  onRequest({ request }) {
    // Pages of other origins cannot send it.
    request.headers.set('X-Console', isUserActive() ? '1' : 'poll')
    return logRequest(request)
  },
  onResponse({ response }) {
    // Before it is read as what it should be.
    if (response.ok && isForeign(response)) throw new ForeignAnswer()
  },
})

/** True from the first answer that says so, until somebody signs in. */
export const isSignedOut = signal(false)

/** Rises when somebody has signed in again: what is on the screen is read once more. */
export const signIns = signal(0)

export type Answered<Data> = { data: Data; etag?: string; problem?: never } | { problem: Problem; data?: never }

interface Fetched<Data> {
  data?: Data
  error?: unknown
  response: Response
}

class ForeignAnswer extends Error {}

/** Awaits what `api` was asked; never throws for what the service, the network or a proxy does. */
export async function ask<Data>(asked: Promise<Fetched<Data>>): Promise<Answered<NonNullable<Data>>> {
  try {
    const { data, error, response } = await asked
    if (response.status === 401) isSignedOut.value = true
    if (!response.ok) return { problem: problemOf(response, error) }
    const etag = response.headers.get('ETag')
    // Boundary: what has no body has no data, and nobody looks at it.
    return { data: data as NonNullable<Data>, ...(etag && { etag }) }
  } catch (error) {
    if (error instanceof TypeError) return { problem: offline }
    // A SyntaxError: it says that it is JSON, and is none.
    if (error instanceof ForeignAnswer || error instanceof SyntaxError) return { problem: foreign }
    throw error
  }
}
