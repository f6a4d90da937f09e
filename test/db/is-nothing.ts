/** Whether a query returned nothing that it found, changed or counted. */
export function isNothing(result: unknown): boolean {
  if (!result || result === 'not checked') return true
  if (Array.isArray(result)) return result.length === 0
  if (typeof result !== 'object') return false
  if (result instanceof Set || result instanceof Map) return result.size === 0
  if ('revoked' in result) return result.revoked === 0
  if ('files' in result) return result.files === 0
  return ('rows' in result && isNothing(result.rows)) || ('changed' in result && isNothing(result.changed))
}
