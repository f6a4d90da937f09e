import { DatabaseUnavailable } from '../../../engine/unavailable.ts'
import type { Claims, users } from '../../../tables/issuance/users.ts'
import { countIndexed, maxIndexedClaims, termsOfClaims, termsOfProvider } from './claim-terms.ts'

/** The columns of a user from which its index terms follow. */
export type IndexedState = Pick<typeof users.$inferSelect, 'claims' | 'providerId' | 'subjectId'>

/** The index terms of states of users. */
export interface UserTerms {
  /** Computes the terms of states. Call it outside of write transactions. */
  prepare(states: IndexedState[]): Promise<void>
  /** Returns the terms of each state. Throws `TermsMissing` if one of them is not prepared. */
  of(states: IndexedState[]): Set<string>[]
}

/** A transaction read a user in a state whose terms are not prepared. */
class TermsMissing extends Error {
  readonly states: IndexedState[]

  constructor(states: IndexedState[]) {
    super('index terms of a user are not prepared')
    this.states = states
  }
}

const maxAttempts = 20

/**
 * Runs `work`, which opens a write transaction, with index terms that are computed before it. SQLite holds its write
 * lock during a transaction, and 10,000 hashes take long. `states` are expected before and after the write. If the
 * transaction finds other states, it rolls back, and `work` runs again with their terms. Throws `DatabaseUnavailable`
 * if the user changes before each attempt.
 */
export async function withUserTerms<Result>(
  states: IndexedState[],
  work: (terms: UserTerms) => Promise<Result>,
): Promise<Result> {
  const terms = createUserTerms()
  await terms.prepare(states)
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(terms)
    } catch (error) {
      if (!(error instanceof TermsMissing)) throw error
      if (attempt === maxAttempts) throw new DatabaseUnavailable(error)
      await terms.prepare(error.states)
    }
  }
}

export function createUserTerms(): UserTerms {
  const byState = new Map<string, Set<string>>()
  return {
    async prepare(states) {
      for (const state of states) byState.set(keyOf(state), await termsOf(state))
    },
    of(states) {
      return states.map((state) => {
        const terms = hasNoTerms(state) ? new Set<string>() : byState.get(keyOf(state))
        if (!terms) throw new TermsMissing(states)
        return terms
      })
    },
  }
}

function keyOf({ claims, providerId, subjectId }: IndexedState): string {
  return JSON.stringify([claims, providerId, subjectId])
}

function hasNoTerms({ claims, providerId }: IndexedState): boolean {
  return providerId === null && Object.keys(claims).length === 0
}

async function termsOf({ claims, providerId, subjectId }: IndexedState): Promise<Set<string>> {
  const terms = await termsOfClaims(claims)
  return providerId && subjectId ? terms.union(new Set(termsOfProvider({ providerId, subjectId }))) : terms
}

/** The columns of a user who signs in at no provider. */
export const noSubject = { providerId: null, subjectId: null, issuer: null }

/** The claims and the subject that replace those of a state. */
export interface StateChange {
  claims?: Claims | undefined
  provider?: { providerId: string; subjectId: string } | undefined
}

/** Returns the state after a change. */
export function changed<State extends IndexedState>(before: State, { claims, provider }: StateChange): State {
  return { ...before, ...(claims ? { claims } : {}), ...provider }
}

/** Returns the state after a merge of claims. */
export function merged<State extends IndexedState>(before: State, claims: Claims): State {
  return { ...before, claims: { ...before.claims, ...claims } }
}

/** Returns whether the claims have too many values to be indexed. A user that already has more values can keep as many. */
export function isTooMany(claims: Claims, before: Claims = {}): boolean {
  const count = countIndexed(claims)
  return count > maxIndexedClaims && count > countIndexed(before)
}
