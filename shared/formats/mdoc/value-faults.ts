import { ruleOf, rulesOfNamespaces } from './doc-types.ts'

/**
 * Returns what the standard of the document type forbids in these values, which have the types of their elements. Names the element. Returns
 * undefined if there is nothing.
 */
export function findValueFault(docType: string, claims: Readonly<Record<string, unknown>>): string | undefined {
  for (const [namespace, { relations = [] }] of rulesOfNamespaces(docType)) {
    // Boundary: the claims of a mobile configuration are objects by namespace, like its mappings.
    const elements = (Object.hasOwn(claims, namespace) ? claims[namespace] : {}) as Record<string, unknown>
    for (const [element, value] of Object.entries(elements)) {
      const why = whyForbidden(docType, namespace, element, value)
      if (why !== undefined) return `The claim ${namespace} ${element} ${why}`
    }
    const broken = relations.find(({ element, other, holds }) => {
      const [value, otherValue] = [elements[element], elements[other]]
      return value !== undefined && otherValue !== undefined && !holds(value, otherValue)
    })
    if (broken) return `The claim ${namespace} ${broken.element} must be ${broken.must}`
  }
  return undefined
}

/** Returns why the standard forbids the value of an element: "must be ...". The reason never contains the value. */
export function whyForbidden(docType: string, namespace: string, element: string, value: unknown): string | undefined {
  const rule = ruleOf(docType, namespace, element)
  return !rule || rule.allows(value) ? undefined : `must be ${rule.must}`
}
