import { FormatError } from './format-error.ts'
import { findContext } from './json-ld-contexts.ts'

/**
 * The document loader of all JSON-LD work here. Never the network: an unknown URL throws `unknown_context`. `tag: 'static'`
 * lets the JSON-LD library keep the processed context for later documents.
 */
export async function loadContext(url: string): Promise<{ documentUrl: string; document: object; tag: 'static' }> {
  const document = findContext(url)
  if (!document) throw new FormatError('unknown_context', `no such JSON-LD context: ${url}`)
  return { documentUrl: url, document, tag: 'static' }
}
