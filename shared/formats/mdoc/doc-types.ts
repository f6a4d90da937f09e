import type { DocTypeProfile, NamespaceProfile } from './doc-type-profile.ts'
import type { ElementType } from './element-types.ts'
import { mdl } from './mdl.ts'
import { photoId } from './photo-id.ts'

/** Document types whose elements are known here; of others, the configuration says what their elements are. */
const docTypes: Readonly<Record<string, DocTypeProfile>> = {
  'org.iso.18013.5.1.mDL': mdl,
  'org.iso.23220.photoid.1': photoId,
}

/** The type that the standard gives to an element; undefined where it says nothing of it. */
export function standardTypeOf(docType: string, namespace: string, element: string): ElementType | undefined {
  const known = namespaceOf(docType, namespace)
  if (!known) return undefined
  if (Object.hasOwn(known.elements, element)) return known.elements[element]
  return /^age_over_\d\d$/.test(element) ? 'bool' : undefined
}

/** Mandatory elements of the document type of which `has` knows none, as namespace and element. */
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

/** Whether the document type cannot be without an element, where `has` knows its elements: of several names, one is enough. */
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
