import { encodeCbor } from '../cbor-encode.ts'
import { FormatError } from '../format-error.ts'
import { standardTypeOf } from './doc-types.ts'
import { type ElementType, elementValue } from './element-types.ts'

/** An element with its value in CBOR, which all copies of a document share. */
export interface EncodedElement {
  readonly name: string
  readonly value: Buffer
}

export type EncodedElements = ReadonlyMap<string, readonly EncodedElement[]>

/** The types of elements in a configuration, by namespace and element. */
export type DeclaredTypes = Readonly<Record<string, Readonly<Record<string, { readonly type?: ElementType }>>>>

/**
 * Encodes the claims of an issuance, by namespace and element, as elements of a document. Throws `invalid_element`, which names the
 * element.
 */
export function encodeElements(
  docType: string,
  claims: Readonly<Record<string, unknown>>,
  declared: DeclaredTypes,
): EncodedElements {
  return new Map(
    Object.entries(claims).map(([namespace, elements]) => [
      namespace,
      // Boundary: the claims of a mobile configuration are objects by namespace, like its mappings.
      Object.entries(elements as Record<string, unknown>).map(([name, value]) => {
        return { name, value: encodeElement(value, typeOf(docType, declared, [namespace, name]), [namespace, name]) }
      }),
    ]),
  )
}

/** An element whose value is wrong. */
export interface ElementFault {
  /** The namespace and the element. */
  readonly path: ElementPath
  /** Names the element and what it must be. Never contains the value. */
  readonly message: string
}

type ElementPath = readonly [namespace: string, element: string]

/** Returns the elements that `encodeElements` refuses. */
export function findMalformedElements(
  docType: string,
  claims: Readonly<Record<string, unknown>>,
  declared: DeclaredTypes,
): ElementFault[] {
  return Object.entries(claims).flatMap(([namespace, elements]) =>
    // Boundary: the claims of a mobile configuration are objects by namespace, like its mappings.
    Object.entries(elements as Record<string, unknown>).flatMap(([name, value]): ElementFault[] => {
      const path = [namespace, name] as const
      try {
        encodeElement(value, typeOf(docType, declared, path), path)
        return []
      } catch (error) {
        if (error instanceof FormatError) return [{ path, message: error.message }]
        throw error
      }
    }),
  )
}

function typeOf(docType: string, declared: DeclaredTypes, [namespace, name]: ElementPath): ElementType | undefined {
  return standardTypeOf(docType, namespace, name) ?? declared[namespace]?.[name]?.type
}

function encodeElement(value: unknown, type: ElementType | undefined, path: ElementPath): Buffer {
  try {
    return encodeCbor(elementValue(value, type))
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    throw new FormatError('invalid_element', `The claim ${path.join(' ')} ${error.message}`)
  }
}
