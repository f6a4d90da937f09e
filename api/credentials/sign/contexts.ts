import { credentialsContext, knownContexts } from '../../../shared/formats/json-ld-contexts.ts'

/** The one place that says which contexts a credential may name when it is signed directly. */
export function isKnownContext(url: string): boolean {
  return url === credentialsContext || knownContexts.has(url)
}
