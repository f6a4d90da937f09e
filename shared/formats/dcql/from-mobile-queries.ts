import type { DcqlQuery } from './dcql-query.ts'

/** A query for a mobile credential in the form of the reference platform: the elements by namespace. */
export interface MobileQuery {
  docType: string
  nameSpaces: Record<string, Record<string, { intentToRetain?: boolean | undefined }>>
}

/** Translates queries for mobile credentials into DCQL. The ids are `mobile-0`, `mobile-1` and so on. All credentials are requested. */
export function fromMobileQueries(queries: readonly MobileQuery[]): DcqlQuery {
  return {
    credentials: queries.map(({ docType, nameSpaces }, index) => ({
      id: `mobile-${index}`,
      format: 'mso_mdoc',
      meta: { doctype_value: docType },
      claims: Object.entries(nameSpaces).flatMap(([namespace, elements]) =>
        Object.entries(elements).map(([element, { intentToRetain }]) => ({
          path: [namespace, element],
          ...(intentToRetain !== undefined && { intent_to_retain: intentToRetain }),
        })),
      ),
    })),
  }
}
