import { isDeepStrictEqual } from 'node:util'
import type { Context } from 'koa'
import { findProblem } from '../../shared/errors/errors.ts'
import { isJsonObject } from '../../shared/formats/json-object.ts'
import { tagOf } from './if-match.ts'
import { inHeader } from './ignored.ts'
import { type DeclaredMembers, kindOf, knownMembers } from './known-members.ts'
import { Answer } from './representations/answer.ts'
import type { Call, Headers, Route } from './route.ts'

/** Compares a PUT with the resource that it replaces. */
export interface Replacement {
  /** The headers. Those of a partial PUT require the version that the kept members came from, unless the client names a version. */
  headers: Headers
  /** Returns the body to parse. The body of a partial PUT gets the members to keep. */
  complete(sent: unknown): unknown
  /** Sets `X-Reset-Fields` to the members that the body omits and that had another value before the PUT. */
  reportReset(answer: unknown): void
}

/** Reads the resource with `reader`, the GET route with the same path. */
export async function beginReplacement(
  ctx: Context,
  route: Route,
  reader: Route,
  reading: Pick<Call<unknown, unknown, unknown>, 'deps' | 'params' | 'headers'> & { tenantId: string | undefined },
  query: unknown,
): Promise<Replacement> {
  const stored = await read(reader, reading)
  const isPartial = isJsonObject(query) && query.partial === 'true'
  let sent: unknown
  return {
    headers: isPartial ? withPrecondition(reading.headers, stored) : reading.headers,
    complete(body) {
      sent = isPartial && isJsonObject(stored) && isJsonObject(body ?? {}) ? { ...stored, ...Object(body) } : body
      return sent
    },
    reportReset(answer) {
      const fields: string[] = []
      const members = route.body && knownMembers(route.body)
      findReset(members, { sent: sent ?? {}, stored, after: dataOf(answer) }, '', fields)
      if (fields.length > 0) ctx.res.setHeader('X-Reset-Fields', fields.slice(0, maxReported).map(inHeader).join(', '))
    },
  }
}

/** `*` names no version: a partial PUT with it is treated like one without If-Match. */
function withPrecondition(headers: Headers, stored: unknown): Headers {
  if (stored === undefined) return { ...headers, 'if-none-match': '*' }
  const { 'if-match': ifMatch = '*' } = headers
  return ifMatch === '*' ? { ...headers, 'if-match': tagOf(stored) } : headers
}

/** Returns undefined if the resource does not exist. The PUT then creates it or refuses. */
async function read(reader: Route, reading: object): Promise<unknown> {
  try {
    // Boundary: routes with the same path have the same parameters, and a GET has no body.
    return dataOf(await reader.handle(reading as Call<never, never, never>))
  } catch (error) {
    if (findProblem(error)?.problem === 'not_found') return undefined
    throw error
  }
}

const maxReported = 20

/** Compares declared members only. A map or a list is replaced as a whole. */
function findReset(
  declared: DeclaredMembers | undefined,
  { sent, stored, after }: { sent: unknown; stored: unknown; after: unknown },
  prefix: string,
  names: string[],
): void {
  if (!declared || !isJsonObject(sent) || !isJsonObject(stored)) return
  for (const [name, inner] of kindOf(declared, sent)?.members ?? []) {
    const parts = { sent: sent[name], stored: stored[name], after: isJsonObject(after) ? after[name] : undefined }
    if (parts.sent !== undefined) findReset(inner, parts, `${prefix}${name}.`, names)
    else if (parts.stored !== undefined && !isDeepStrictEqual(parts.stored, parts.after)) names.push(prefix + name)
  }
}

function dataOf(answer: unknown): unknown {
  return answer instanceof Answer ? answer.body : answer
}
