import { Problem } from '../../shared/errors/errors.ts'
import { Answer } from './representations/answer.ts'
import { entityTag, versionOfBytes } from './representations/conditional.ts'
import type { Headers } from './route.ts'

/** Returns the version of a resource. It changes with the view. */
export function versionOf(view: unknown): string {
  return versionOfBytes(JSON.stringify(view))
}

/** Returns the `ETag` of a view in JSON. */
export function tagOf(view: unknown): string {
  return entityTag(versionOf(view), { type: undefined, isGzipped: false })
}

/** Returns the answer of a PUT. */
export function withTag(view: unknown): Answer {
  return new Answer(view, { headers: { ETag: tagOf(view) } })
}

/** Returns the answer of a GET of a resource that has a PUT. */
export function withVersion(view: unknown): Answer {
  return new Answer(view, { version: versionOf(view) })
}

/**
 * Checks the preconditions of a PUT (RFC 9110, sections 13.1.1 and 13.1.2). Throws `precondition_failed`. Every handler of a PUT
 * calls it in the transaction that writes, after it has locked the row. `view` is the view of GET, or undefined if the PUT creates
 * the row.
 */
export function requireMatch(headers: Headers, view: unknown): void {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers
  if (view === undefined ? ifMatch === undefined : ifNoneMatch !== '*' && isWanted(ifMatch, view)) return
  throw new Problem('precondition_failed', {
    message:
      view === undefined
        ? 'The resource does not exist. Send the request without If-Match.'
        : 'The resource was changed after you read it. Read it again and send the change with the new ETag.',
  })
}

/** Without If-Match every version matches. */
function isWanted(ifMatch: Headers[string], view: unknown): boolean {
  if (ifMatch === undefined || ifMatch === '*') return true
  const tags: readonly string[] = String(ifMatch).match(/(?:W\/)?"[^"]*"/g) ?? []
  return tags.includes(tagOf(view))
}
