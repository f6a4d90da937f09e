import { DcqlPresentationResult, DcqlQuery as PackageQuery } from 'dcql'
import { expect, test } from 'vitest'
import { Dcql } from '../../../../api/verifier/queries/dcql-schemas.ts'
import type { DcqlQuery } from '../../../../shared/formats/dcql/dcql-query.ts'
import { evaluateAnswer } from '../../../../shared/formats/dcql/evaluate-answer.ts'
import { matchCredential } from '../../../../shared/formats/dcql/match-credential.ts'
import { seededRandom } from '../../../harness/seeded-random.ts'
import { type RandomCase, randomCase } from './random-queries.ts'

const cases = 2_000

test('2,000 random queries match the same credentials, claims and sets as in the package dcql', () => {
  const random = seededRandom()
  const seen = { matched: 0, claimSets: 0, otherValues: 0 }
  for (let index = 0; index < cases; index++) {
    const { query, credentials } = randomCase(random)
    const ours = Dcql.parse(query)
    const matches = ours.credentials.map((of) => credentials.map((each) => matchCredential(of, each.ours)))
    expect(matches.map((all) => all.map(toCompare))).toEqual(packageMatches(query, credentials))
    const all = matches.flat()
    seen.matched += all.filter(({ failures }) => failures.length === 0).length
    seen.claimSets += all.filter(({ claimSet }) => claimSet !== undefined && claimSet > 0).length
    seen.otherValues += all.filter(({ claims }) => claims.includes('otherValue')).length
  }
  // The choices reach each result often.
  expect(Object.values(seen).filter((count) => count < 100)).toEqual([])
})

test('2,000 random answers satisfy the same queries as in the package dcql', () => {
  const random = seededRandom()
  const seen = { satisfied: 0, refused: 0 }
  for (let index = 0; index < cases; index++) {
    const { query, credentials, hasIndex } = randomCase(random)
    if (hasIndex) continue
    const ours = Dcql.parse(query)
    const answer = randomAnswer(random, ours, credentials)
    const { isSatisfied } = evaluateAnswer(
      ours,
      new Map([...answer].map(([id, all]) => [id, all.map((each) => each.ours)])),
    )
    expect([query, answer, isSatisfied]).toEqual([query, answer, isSatisfiedInPackage(query, answer)])
    seen[isSatisfied ? 'satisfied' : 'refused']++
  }
  expect(Object.values(seen).filter((count) => count < 100)).toEqual([])
})

type Credentials = RandomCase['credentials']

/** Presents credentials that match, and in a fifth of the cases others, several or for an unknown id. */
function randomAnswer(random: () => number, query: DcqlQuery, credentials: Credentials): Map<string, Credentials> {
  const isCareless = random() < 0.2
  const presented = query.credentials.map((of): [string, Credentials] => {
    const fitting = credentials.filter(({ ours }) => matchCredential(of, ours).failures.length === 0)
    const all = isCareless ? credentials.filter(() => random() < 0.5) : fitting.slice(0, of.multiple ? 2 : 1)
    return [of.id, all]
  })
  const unknown: [string, Credentials][] = isCareless && random() < 0.2 ? [['other', credentials]] : []
  return new Map([...presented, ...unknown].filter(([, all]) => all.length > 0))
}

function toCompare({ failures, claims, claimSet }: ReturnType<typeof matchCredential>) {
  return {
    isMatch: failures.length === 0,
    hasMeta: !failures.some((each) => ['WrongFormat', 'WrongType', 'HolderBindingMissing'].includes(each)),
    hasAuthority: !failures.includes('AuthorityNotMet'),
    claims: claims.flatMap((state, index) => (state === 'presented' ? [index] : [])),
    claimSet,
  }
}

/** The matches of the package, by query and credential. */
function packageMatches(query: RandomCase['query'], credentials: Credentials) {
  const parsed = PackageQuery.parse(query)
  PackageQuery.validate(parsed)
  const result = PackageQuery.query(
    parsed,
    credentials.map(({ theirs }) => theirs),
  )
  return parsed.credentials.map(({ id }) => {
    const { valid_credentials: valid = [], failed_credentials: failed = [] } = result.credential_matches[id] ?? {}
    return [...valid, ...failed]
      .toSorted((left, right) => left.input_credential_index - right.input_credential_index)
      .map(({ success, meta, trusted_authorities: trusted, claims }) => ({
        isMatch: success,
        hasMeta: meta.success,
        hasAuthority: trusted.success,
        claims: (claims.valid_claims ?? []).map(({ claim_index: index }) => index),
        claimSet: claims.valid_claim_sets?.[0]?.claim_set_index,
      }))
  })
}

function isSatisfiedInPackage(query: RandomCase['query'], answer: ReadonlyMap<string, Credentials>): boolean {
  const presentation = [...answer].map(([id, all]) => [id, all.map(({ theirs }) => theirs)])
  try {
    const dcqlQuery = PackageQuery.parse(query)
    return DcqlPresentationResult.fromDcqlPresentation(Object.fromEntries(presentation), { dcqlQuery }).can_be_satisfied
  } catch {
    // Several credentials although the query asks for one, or an unknown id.
    return false
  }
}
