import type { Content, Kind } from './kind.ts'
import { setAt, valueAt } from './members.ts'
import { referencePlaces } from './parts.ts'

/** The text that stands for a secret where it is shown. */
export const maskedSecret = '********'

/** Returns the content with names instead of ids and without its secret, as plans and exports show it. */
export function showContent(kind: Kind, content: Content, nameOfId: (id: string) => string | undefined): Content {
  const shown: Content = JSON.parse(JSON.stringify(content))
  for (const path of referencePlaces(kind, shown).keys()) {
    const id = valueAt(shown, path)
    if (typeof id === 'string') setAt(shown, path, { $ref: nameOfId(id) ?? id })
  }
  const secretPath = kind.secret?.pathIn(shown)
  if (secretPath !== undefined) setAt(shown, secretPath, maskedSecret)
  return shown
}
