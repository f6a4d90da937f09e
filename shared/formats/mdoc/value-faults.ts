import { profilesOfNamespaces, ruleOf } from './doc-types.ts'
import type { ElementFault } from './elements.ts'

/**
 * Returns what the standard of the document type forbids in these values. The values of malformed elements do not have the types of their
 * elements, and are left out.
 */
export function findValueFaults(
  docType: string,
  claims: Readonly<Record<string, unknown>>,
  isMalformed: (namespace: string, element: string) => boolean,
): ElementFault[] {
  return profilesOfNamespaces(docType).flatMap(([namespace, { relations = [] }]) => {
    // Boundary: the claims of a mobile configuration are objects by namespace, like its mappings.
    const values = Object.entries(
      (Object.hasOwn(claims, namespace) ? claims[namespace] : {}) as Record<string, unknown>,
    )
    const elements = new Map(values.filter(([element]) => !isMalformed(namespace, element)))
    const faultOf = (element: string, why: string): ElementFault => {
      return { path: [namespace, element], message: `The claim ${namespace} ${element} ${why}` }
    }
    const forbidden = [...elements].flatMap(([element, value]) => {
      const why = whyForbidden(docType, namespace, element, value)
      return why === undefined ? [] : [faultOf(element, why)]
    })
    const broken = relations.filter(({ element, other, holds }) => {
      const [value, otherValue] = [elements.get(element), elements.get(other)]
      return value !== undefined && otherValue !== undefined && !holds(value, otherValue)
    })
    return [...forbidden, ...broken.map(({ element, must }) => faultOf(element, `must be ${must}`))]
  })
}

/** Returns why the standard forbids the value of an element: "must be ...". The reason never contains the value. */
export function whyForbidden(docType: string, namespace: string, element: string, value: unknown): string | undefined {
  const rule = ruleOf(docType, namespace, element)
  return !rule || rule.allows(value) ? undefined : `must be ${rule.must}`
}
