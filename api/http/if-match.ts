import { Problem } from '../../shared/errors.ts'
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

/**
 * For a change of what is shown like this at the moment: throws `precondition_failed` where If-Match names no such version (RFC 9110,
 * section 13.1.1). Whoever names none overwrites whatever is there.
 */
export function requireMatch(headers: Headers, view: unknown): void {
  const wanted = headers['if-match']
  if (wanted === undefined || wanted === '*') return
  const tags: readonly string[] = String(wanted).match(/(?:W\/)?"[^"]*"/g) ?? []
  if (tags.includes(tagOf(view))) return
  throw new Problem('precondition_failed', {
    message: 'It was changed since it was read: read it again, and send the change with the ETag of that answer',
  })
}
