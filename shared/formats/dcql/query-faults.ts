import { pointerText } from '../sd-jwt/claim-pointer.ts'
import type { DcqlCredentialQuery, DcqlQuery } from './dcql-query.ts'

/** A rule between members that a query violates, with the place of the member. */
export interface QueryFault {
  path: (string | number)[]
  message: string
}

/** Finds violations of the rules between the members of a query (OpenID4VP 1.0, sections 6.1 to 6.3). */
export function findQueryFaults({ credentials, credential_sets: sets = [] }: DcqlQuery): QueryFault[] {
  const ids = credentials.map(({ id }) => id)
  return [
    ...repeated(ids).map((index) => fault(['credentials', index, 'id'], `Must not repeat the id ${ids[index]}`)),
    ...credentials.flatMap((query, index) =>
      [...claimFaults(query), ...claimSetFaults(query)].map(inCredential(index)),
    ),
    ...sets.flatMap(({ options }, index) =>
      referenceFaults(options, ids, 'credentials').map(({ path, message }) =>
        fault(['credential_sets', index, 'options', ...path], message),
      ),
    ),
  ]
}

function claimFaults({ claims = [], claim_sets: sets }: DcqlCredentialQuery): QueryFault[] {
  const ids = claims.map(({ id }) => id)
  const paths = claims.map(({ path }) => JSON.stringify(path))
  return [
    ...repeated(ids).map((index) => fault(['claims', index, 'id'], `Must not repeat the id ${ids[index]}`)),
    // Section 6.1: a query must not point to a claim more than once.
    ...repeated(paths).map((index) =>
      fault(['claims', index, 'path'], `Must not repeat the path ${pointerText(claims[index]?.path ?? [])}`),
    ),
    ...(sets === undefined ? [] : ids)
      .map((id, index) => (id === undefined ? index : -1))
      .filter((index) => index >= 0)
      .map((index) => fault(['claims', index, 'id'], 'Required, because the query has claim_sets')),
  ]
}

function claimSetFaults({ claims, claim_sets: sets }: DcqlCredentialQuery): QueryFault[] {
  if (sets === undefined) return []
  if (claims === undefined) return [fault(['claim_sets'], 'Must be absent without claims')]
  const ids = claims.flatMap(({ id = [] }) => id)
  return referenceFaults(sets, ids, 'claims').map(({ path, message }) => fault(['claim_sets', ...path], message))
}

/** Finds references that are in no entry of `list`, or that a set repeats. */
function referenceFaults(sets: readonly string[][], ids: readonly string[], list: string): QueryFault[] {
  const allowed = new Set(ids)
  return sets.flatMap((references, set) => [
    ...repeated(references).map((index) => fault([set, index], `Must not repeat the id ${references[index]}`)),
    ...references.flatMap((id, index) => (allowed.has(id) ? [] : [fault([set, index], `Must be an id in ${list}`)])),
  ])
}

/** Returns the indexes of values that an earlier value equals. */
function repeated(values: readonly (string | undefined)[]): number[] {
  const seen = new Set<string>()
  return values.flatMap((value, index) => {
    if (value === undefined) return []
    if (seen.has(value)) return [index]
    seen.add(value)
    return []
  })
}

function inCredential(index: number) {
  return ({ path, message }: QueryFault): QueryFault => fault(['credentials', index, ...path], message)
}

function fault(path: (string | number)[], message: string): QueryFault {
  return { path, message }
}
