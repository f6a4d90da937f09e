import type { ClaimPointer } from '../sd-jwt/claim-pointer.ts'
import type { JsonObject } from '../sd-jwt/read-jwt.ts'
import type { AuthorityType, ClaimsQuery, DcqlCredentialQuery } from './dcql-query.ts'
import { requestsClaim, selectClaims } from './select-claims.ts'

/** A credential in an answer, after its own checks: signature, holder binding, trust and status. */
export interface PresentedCredential {
  /** Equal for two presentations of one issued credential. */
  issuedId: string
  format: DcqlCredentialQuery['format']
  /** The docType, the `vct` with the types that it extends, or the expanded types of a W3C credential. */
  types: readonly string[]
  isHolderBound: boolean
  /** By namespace for an mdoc. An element of an array that the holder did not disclose is undefined. */
  claims: JsonObject
  /** The places of the claims that the holder could withhold and disclosed. */
  disclosed: readonly ClaimPointer[]
  /** The authorities of the issuer. A type that the verifier cannot determine is absent. */
  authorities: Partial<Record<AuthorityType, readonly string[]>>
}

/** `otherValue`: the claim has none of the requested values. */
export type ClaimState = 'presented' | 'missing' | 'otherValue'

/** `unknown`: the verifier cannot determine the authorities of one of the requested types. */
export type AuthorityState = 'met' | 'notMet' | 'unknown'

export type MatchFailure =
  | 'WrongFormat'
  | 'WrongType'
  | 'HolderBindingMissing'
  | 'AuthorityNotMet'
  | 'ClaimMissing'
  | 'ClaimNotRequested'

export interface CredentialMatch {
  failures: MatchFailure[]
  /** The state of each claim of the query, in its order. */
  claims: ClaimState[]
  /** The index of the met claim set. Undefined if the query has no claim sets, or none is met. */
  claimSet: number | undefined
  /** The pointers of the claims that the query requested from this credential. */
  requested: readonly ClaimPointer[]
  /** Undefined if the query names no authorities. */
  authority: AuthorityState | undefined
}

/** Compares a credential with a query, except for claims that the query did not request (OpenID4VP 1.0, section 6). */
export function matchCredential(query: DcqlCredentialQuery, credential: PresentedCredential): CredentialMatch {
  const claims = (query.claims ?? []).map((claim) => claimState(claim, credential))
  const sets = setsOf(query)
  const met = sets.filter((set) => set.every((index) => claims[index] === 'presented'))
  const chosen = met.find((set) => discloses(query, set, credential)) ?? met[0]
  const authority = authorityState(query, credential)
  const checks: [MatchFailure, boolean][] = [
    ['WrongFormat', query.format === credential.format],
    ['WrongType', query.format !== credential.format || hasType(query, credential.types)],
    ['HolderBindingMissing', credential.isHolderBound || query.require_cryptographic_holder_binding === false],
    ['AuthorityNotMet', authority !== 'notMet'],
    ['ClaimMissing', chosen !== undefined],
  ]
  return {
    failures: checks.filter(([, isPassed]) => !isPassed).map(([name]) => name),
    claims,
    claimSet: query.claim_sets && chosen && sets.indexOf(chosen),
    requested: pathsOf(query, chosen ?? sets[0] ?? []),
    authority,
  }
}

function claimState({ path, values }: ClaimsQuery, { claims }: PresentedCredential): ClaimState {
  const selected = selectClaims(claims, path)
  if (selected.length === 0) return 'missing'
  // Section 6.3: type and value must match exactly.
  const isMatch = values === undefined || selected.some((value) => values.some((each) => each === value))
  return isMatch ? 'presented' : 'otherValue'
}

/** Returns the accepted combinations of claims, as indexes (section 6.4.1). */
function setsOf({ claims = [], claim_sets: sets }: DcqlCredentialQuery): number[][] {
  const all = claims.map((_, index) => index)
  if (sets === undefined) return [all]
  return sets.map((ids) => all.filter((index) => ids.includes(claims[index]?.id ?? '')))
}

/** Whether the set requests each claim that the holder disclosed. */
function discloses(query: DcqlCredentialQuery, set: readonly number[], { disclosed }: PresentedCredential): boolean {
  const paths = pathsOf(query, set)
  return disclosed.every((claim) => paths.some((path) => requestsClaim(path, claim)))
}

function pathsOf({ claims = [] }: DcqlCredentialQuery, set: readonly number[]): ClaimPointer[] {
  return set.flatMap((index) => {
    const path = claims[index]?.path
    return path ? [path] : []
  })
}

function hasType(query: DcqlCredentialQuery, types: readonly string[]): boolean {
  if (query.format === 'mso_mdoc') return types.includes(query.meta.doctype_value)
  if (query.format === 'dc+sd-jwt') return query.meta.vct_values.some((vct) => types.includes(vct))
  return query.meta.type_values.some((all) => all.every((type) => types.includes(type)))
}

/** Section 6.1.1: one value of one entry is enough. */
function authorityState(
  { trusted_authorities: trusted }: DcqlCredentialQuery,
  { authorities }: PresentedCredential,
): AuthorityState | undefined {
  if (trusted === undefined) return undefined
  const isMet = trusted.some(({ type, values }) => authorities[type]?.some((each) => values.includes(each)))
  if (isMet) return 'met'
  return trusted.some(({ type }) => authorities[type] === undefined) ? 'unknown' : 'notMet'
}
