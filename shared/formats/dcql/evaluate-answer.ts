import type { ClaimPointer } from '../sd-jwt/claim-pointer.ts'
import type { DcqlCredentialQuery, DcqlQuery } from './dcql-query.ts'
import { type CredentialMatch, matchCredential, type PresentedCredential } from './match-credential.ts'
import { requestsClaim } from './select-claims.ts'

/** The evaluation of all credentials that a wallet presented for a query. */
export interface AnswerEvaluation {
  isSatisfied: boolean
  /** In the order of the query. */
  credentials: CredentialEvaluation[]
  /** In the order of the query. Empty if it has no credential sets. */
  credentialSets: CredentialSetEvaluation[]
  /** The ids in the answer that are not in the query. */
  unknownIds: string[]
}

export interface CredentialEvaluation {
  id: string
  /** Whether there is a credential, and each one is as requested. */
  isSatisfied: boolean
  /** Whether there are several credentials, although the query asks for one. */
  isTooMany: boolean
  presented: PresentedEvaluation[]
}

/** `unrequested` are the places of disclosed claims that no query requested from this credential. */
export type PresentedEvaluation = Omit<CredentialMatch, 'requested'> & { unrequested: ClaimPointer[] }

export interface CredentialSetEvaluation {
  isRequired: boolean
  /** The index of the first option that is met. Undefined: none. */
  option: number | undefined
}

/**
 * Evaluates the answer of a wallet (OpenID4VP 1.0, section 6.4), by the ids of the credential queries. A wallet must not return
 * credentials that do not match, or claims that were not requested. So one of them makes the answer unsatisfied.
 */
export function evaluateAnswer(
  query: DcqlQuery,
  answer: ReadonlyMap<string, readonly PresentedCredential[]>,
): AnswerEvaluation {
  const matched = query.credentials.map((of) => ({
    of,
    presented: (answer.get(of.id) ?? []).map((credential) => ({ credential, match: matchCredential(of, credential) })),
  }))
  const requested = requestedPaths(matched.flatMap(({ presented }) => presented))
  const credentials = matched.map(({ of, presented }) =>
    evaluateQuery(
      of,
      presented.map(({ credential, match }) => withUnrequested(match, credential, requested)),
    ),
  )
  const satisfied = new Set(credentials.flatMap(({ id, isSatisfied }) => (isSatisfied ? [id] : [])))
  const credentialSets = (query.credential_sets ?? []).map(({ options, required = true }) => {
    const option = options.findIndex((ids) => ids.every((id) => satisfied.has(id)))
    return { isRequired: required, option: option < 0 ? undefined : option }
  })
  const unknownIds = [...answer.keys()].filter((id) => !query.credentials.some((of) => of.id === id))
  const isComplete = query.credential_sets
    ? credentialSets.every(({ isRequired, option }) => !isRequired || option !== undefined)
    : credentials.every(({ isSatisfied }) => isSatisfied)
  const isClean = credentials.every(({ isSatisfied, presented }) => isSatisfied || presented.length === 0)
  return { isSatisfied: isComplete && isClean && unknownIds.length === 0, credentials, credentialSets, unknownIds }
}

interface Matched {
  credential: PresentedCredential
  match: CredentialMatch
}

/** Section 6.4: a presentation can have the claims that another query of the request selects from the same credential. */
function requestedPaths(presented: readonly Matched[]): Map<string, ClaimPointer[]> {
  const byCredential = Map.groupBy(presented, ({ credential }) => credential.issuedId)
  return new Map([...byCredential].map(([id, all]) => [id, all.flatMap(({ match }) => match.requested)]))
}

function withUnrequested(
  { requested: _, ...match }: CredentialMatch,
  { issuedId, disclosed }: PresentedCredential,
  requested: ReadonlyMap<string, readonly ClaimPointer[]>,
): PresentedEvaluation {
  const paths = requested.get(issuedId) ?? []
  const unrequested = disclosed.filter((claim) => !paths.some((path) => requestsClaim(path, claim)))
  const failures = [...match.failures, ...(unrequested.length > 0 ? (['ClaimNotRequested'] as const) : [])]
  return { ...match, failures, unrequested }
}

function evaluateQuery(
  { id, multiple = false }: DcqlCredentialQuery,
  presented: PresentedEvaluation[],
): CredentialEvaluation {
  const isTooMany = presented.length > 1 && !multiple
  const isSatisfied = presented.length > 0 && !isTooMany && presented.every(({ failures }) => failures.length === 0)
  return { id, isSatisfied, isTooMany, presented }
}
