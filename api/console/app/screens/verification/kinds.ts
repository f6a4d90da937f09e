import { isRecord } from '../../kit/form-values.ts'

/** The kinds of input that the service verifies. */
export type Kind = 'compact' | 'compact-semantic' | 'sd-jwt' | 'web-semantic' | 'presentation'

/** Returns the kind of a pasted text. Returns undefined for other texts. */
export function kindOf(pasted: string): Kind | undefined {
  const text = pasted.trim()
  if (text.startsWith('CSC:/')) return 'compact'
  if (text.startsWith('CSS:/') || text.startsWith('NZCP:/')) return 'compact-semantic'
  if (/^[\w-]+\.[\w-]+\.[\w-]+(~|$)/.test(text)) return 'sd-jwt'
  const types = typesOf(text)
  if (types.includes('VerifiablePresentation')) return 'presentation'
  return types.includes('VerifiableCredential') ? 'web-semantic' : undefined
}

function typesOf(text: string): unknown[] {
  if (!text.startsWith('{')) return []
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? [value.type].flat() : []
  } catch {
    return []
  }
}
