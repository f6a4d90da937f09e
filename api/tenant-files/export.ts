import { defaultsRemover } from './defaults.ts'
import type { Content, Kind } from './kind.ts'
import { setAt } from './members.ts'
import type { Operations } from './operations.ts'
import type { State } from './state.ts'

/** Returns the content of the files of all objects, by path. Members with their default are left out. */
export function exportFiles({ byPath }: State, operations: Map<Kind, Operations>): Record<string, Content> {
  const withoutDefaults = defaultsRemover()
  const files = [...byPath.values()].map(({ kind, content, path }): [string, Content] => {
    const written = withoutDefaults(kind, operations.get(kind) ?? {}, content)
    const secretPath = kind.secret?.pathIn(content)
    if (secretPath !== undefined) setAt(written, secretPath, { $secret: secretName(path) })
    return [path, written]
  })
  return Object.fromEntries(files.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns a name for the secret of a file, such as `CLAIM_SOURCES_REGISTER`. */
function secretName(path: string): string {
  return path.toUpperCase().replace(/[^A-Z0-9]+/g, '_')
}
