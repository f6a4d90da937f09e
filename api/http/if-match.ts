import { Problem } from '../../shared/errors.ts'
import { Answer } from './representations/answer.ts'
import { entityTag, versionOfBytes } from './representations/conditional.ts'
import type { Headers } from './route.ts'

/** The version of a thing: it changes whenever what is shown of it does. */
export function versionOf(view: unknown): string {
  return versionOfBytes(JSON.stringify(view))
}

/** What `ETag` says of a thing that is shown in JSON. */
export function tagOf(view: unknown): string {
  return entityTag(versionOf(view), { type: undefined, isGzipped: false })
}

/** The answer of a PUT. */
export function withTag(view: unknown): Answer {
  return new Answer(view, { headers: { ETag: tagOf(view) } })
}

/** The answer of a GET at the address of a PUT. */
export function withVersion(view: unknown): Answer {
  return new Answer(view, { version: versionOf(view) })
}

/**
 * Compares the preconditions of a PUT with what it replaces (RFC 9110, sections 13.1.1 and 13.1.2). Throws `precondition_failed`. Every handler of a PUT
 * calls it in the transaction that writes, after it holds the row. `view` is what GET shows of the row; undefined if the PUT creates it.
 */
export function requireMatch(headers: Headers, view: unknown): void {
  const { 'if-match': wanted, 'if-none-match': unwanted } = headers
  if (view === undefined ? wanted === undefined : unwanted !== '*' && isWanted(wanted, view)) return
  throw new Problem('precondition_failed', {
    message:
      view === undefined
        ? 'Nothing is stored here yet. Send the request without If-Match.'
        : 'The resource was changed after it was read. Read it again, and send the change with the ETag of that answer.',
  })
}

/** Without If-Match every version is wanted. */
function isWanted(wanted: Headers[string], view: unknown): boolean {
  if (wanted === undefined || wanted === '*') return true
  const tags: readonly string[] = String(wanted).match(/(?:W\/)?"[^"]*"/g) ?? []
  return tags.includes(tagOf(view))
}
