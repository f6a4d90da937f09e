import type { Content, Kind } from './kind.ts'
import { setAt, valueAt } from './members.ts'
import { referencePlaces } from './parts.ts'

/** The text that stands for a secret in contents. */
export const maskedSecret = '********'

/**
 * Returns the content of an object as a file has it, in which all contents are compared: `{"$ref": "PATH"}` instead of ids, and a mask
 * instead of the secret. `pathOf` returns the path of an id.
 */
export function toFileContent(kind: Kind, content: Content, pathOf: (id: string) => string | undefined): Content {
  const copy: Content = JSON.parse(JSON.stringify(content))
  const secretPath = kind.secret?.pathIn(copy)
  if (secretPath !== undefined) setAt(copy, secretPath, maskedSecret)
  return setReferences(kind, copy, (id) => ({ $ref: pathOf(String(id)) ?? id }))
}

/** Returns the content with other paths in its references. */
export function renameReferences(kind: Kind, content: Content, newPaths: ReadonlyMap<string, string>): Content {
  if (newPaths.size === 0) return content
  return setReferences(kind, structuredClone(content), (reference) => {
    const path = pathIn(reference)
    return { $ref: newPaths.get(path) ?? path }
  })
}

/** Returns the content for a request: ids instead of references, and the secret. */
export function toRequestContent(
  { kind, content, secret }: { kind: Kind; content: Content; secret: string | undefined },
  ids: ReadonlyMap<string, string>,
): Content {
  const copy = structuredClone(content)
  const secretPath = kind.secret?.pathIn(copy)
  if (secretPath !== undefined) setAt(copy, secretPath, secret)
  return setReferences(kind, copy, (reference) => ids.get(pathIn(reference)))
}

/** Returns the paths to which the content refers, by the path of the member. */
export function referencesIn(kind: Kind, content: Content): [member: string, path: string][] {
  return [...referencePlaces(kind, content).keys()].map((member) => [member, pathIn(valueAt(content, member))])
}

function setReferences(kind: Kind, content: Content, change: (value: unknown) => unknown): Content {
  for (const member of referencePlaces(kind, content).keys()) setAt(content, member, change(valueAt(content, member)))
  return content
}

function pathIn(reference: unknown): string {
  return String(valueAt(reference, '$ref'))
}
