import { isRecord } from '../../kit/form-values.ts'
import { language } from '../../kit/language.ts'

/** Returns the display name of a configuration of the issuer metadata, in the reader's language if there is one. */
export function nameIn(configuration: Record<string, unknown>): string | undefined {
  const { credential_metadata: inner, display: outer } = configuration
  const display = isRecord(inner) ? (inner.display ?? outer) : outer
  const names = Array.isArray(display) ? display.filter(isRecord) : []
  const own = names.find(({ locale }) => String(locale).startsWith(language.value)) ?? names[0]
  return typeof own?.name === 'string' ? own.name : undefined
}
