import type { DocTypeProfile, NamespaceProfile } from './doc-type-profile.ts'
import type { ElementType } from './element-types.ts'
import { mdl } from './mdl.ts'
import { photoId } from './photo-id.ts'
import type { ValueRule } from './value-rules.ts'

/** Document types with known elements. For others, the configuration defines the types of elements. */
const docTypes: Readonly<Record<string, DocTypeProfile>> = {
  'org.iso.18013.5.1.mDL': mdl,
  'org.iso.23220.photoid.1': photoId,
}

/** Returns the type of an element in the standard, or undefined if the standard does not define it. */
export function standardTypeOf(docType: string, namespace: string, element: string): ElementType | undefined {
  const profile = namespaceOf(docType, namespace)
  if (!profile) return undefined
  if (Object.hasOwn(profile.elements, element)) return profile.elements[element]
  return /^age_over_\d\d$/.test(element) ? 'bool' : undefined
}

/** Returns the rule of the standard for the value of an element, beyond its type. */
export function ruleOf(docType: string, namespace: string, element: string): ValueRule | undefined {
  const { rules = {} } = namespaceOf(docType, namespace) ?? {}
  return Object.hasOwn(rules, element) ? rules[element] : undefined
}

/** Returns the namespaces of which the standard of the document type knows the elements, with their profiles. */
export function profilesOfNamespaces(docType: string): [namespace: string, profile: NamespaceProfile][] {
  return Object.entries(profileOf(docType))
}

/** Returns whether the standard forbids an element of this name in the namespace. */
export function isForbidden(docType: string, namespace: string, element: string): boolean {
  const profile = namespaceOf(docType, namespace)
  if (!profile || standardTypeOf(docType, namespace, element) !== undefined) return false
  return profile.isClosed === true || element.startsWith('age_over_')
}

/** Returns the mandatory elements of the document type that are missing, as namespace and element. */
export function missingElements(
  docType: string,
  has: (namespace: string, element: string) => boolean,
): [namespace: string, element: string][] {
  return Object.entries(profileOf(docType)).flatMap(([namespace, { mandatory }]) =>
    mandatory
      .filter((names) => !names.some((name) => has(namespace, name)))
      .map(([name = '']): [string, string] => [namespace, name]),
  )
}

/** Returns whether an element is mandatory beside the elements that `has` reports. If it has several names, one is enough. */
export function isMandatory(
  docType: string,
  [namespace = '', element = '']: readonly string[],
  has: (namespace: string, element: string) => boolean,
): boolean {
  const names = namespaceOf(docType, namespace)?.mandatory.find((each) => each.includes(element)) ?? []
  return names.length > 0 && names.every((name) => name === element || !has(namespace, name))
}

function namespaceOf(docType: string, namespace: string): NamespaceProfile | undefined {
  const profile = profileOf(docType)
  return Object.hasOwn(profile, namespace) ? profile[namespace] : undefined
}

function profileOf(docType: string): DocTypeProfile {
  return (Object.hasOwn(docTypes, docType) && docTypes[docType]) || {}
}
