import { alpha2Of } from '../../../formats/iso-3166.ts'

/** The place in the certificate of a signer, which is that of its authority. */
export interface IssuingPlace {
  country: string
  stateOrProvinceName?: string
}

/**
 * Finds an element of a mobile credential that differs from the place of its signer (ISO/IEC 18013-5, 9.3.1: readers compare them). Returns
 * its namespace and name, and the value that it must have. Certificates name a country with two letters. ISO/IEC TS 23220-2 also allows the
 * three letters of ISO 3166-1 in `issuing_country`.
 */
export function findMisplaced(
  claims: Readonly<Record<string, unknown>>,
  { country, stateOrProvinceName }: IssuingPlace,
): { path: [string, string]; must: string } | undefined {
  const places = { issuing_country: country, issuing_jurisdiction: stateOrProvinceName }
  for (const [namespace, elements] of Object.entries(claims)) {
    for (const [name, place] of Object.entries(places)) {
      // Boundary: the claims of a mobile configuration are objects by namespace.
      const value = (elements as Record<string, unknown>)[name]
      if (place !== undefined && value !== undefined && !isPlace(value, place)) {
        return { path: [namespace, name], must: place }
      }
    }
  }
  return undefined
}

function isPlace(value: unknown, place: string): boolean {
  return value === place || (typeof value === 'string' && alpha2Of(value) === place)
}
