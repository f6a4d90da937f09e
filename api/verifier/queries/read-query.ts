import { wrongField } from '../../../shared/errors/errors.ts'
import type { DcqlQuery } from '../../../shared/formats/dcql/dcql-query.ts'
import { fromMobileQueries, type MobileQuery } from '../../../shared/formats/dcql/from-mobile-queries.ts'

interface QueryForms {
  dcqlQuery?: DcqlQuery
  credentialQuery?: MobileQuery[]
}

/** Returns the query of a body in DCQL. Throws `bad_request` if the body has no query, or both forms. */
export function readQuery({ dcqlQuery, credentialQuery }: QueryForms): DcqlQuery {
  if (dcqlQuery && credentialQuery)
    throw wrongField('credentialQuery', 'Must be absent, because the body has dcqlQuery')
  if (credentialQuery) return fromMobileQueries(credentialQuery)
  if (!dcqlQuery) throw wrongField('dcqlQuery', 'Required, or credentialQuery')
  return dcqlQuery
}
