import { credentialsContext } from './json-ld-contexts.ts'

/** The contexts of Open Badges 3.0. Each defines `name` and `description`. */
const badgeContext = /^https:\/\/purl\.imsglobal\.org\/spec\/ob\/v3p0\/context(-3\.\d\.\d)*\.json$/

/**
 * Returns `@context` of a W3C credential: credentials/v1, an inline context with the vocabulary, and the contexts of `urls`, which win if
 * both define a term. Open Badges 3.0 requires that its context is the second one.
 */
export function contextsOfCredential(vocab: string, urls: readonly string[]): unknown[] {
  const others = [...new Set(urls)].filter((url) => url !== credentialsContext)
  const [first = ''] = others
  if (badgeContext.test(first)) return [credentialsContext, first, { '@vocab': vocab }, ...others.slice(1)]
  const inline = { '@vocab': vocab, name: 'https://schema.org/name', description: 'https://schema.org/description' }
  return [credentialsContext, inline, ...others]
}
