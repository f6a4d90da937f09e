import type { DcqlCredential, DcqlQuery as PackageQuery } from 'dcql'
import { type AuthorityType, authorityTypes } from '../../../../shared/formats/dcql/dcql-query.ts'
import type { PresentedCredential } from '../../../../shared/formats/dcql/match-credential.ts'
import type { ClaimPointer } from '../../../../shared/formats/sd-jwt/claim-pointer.ts'

/** A query, and credentials in the form of the service and in that of the package `dcql`. */
export interface RandomCase {
  query: PackageQuery.Input
  credentials: { ours: PresentedCredential; theirs: DcqlCredential }[]
  /** Whether a path has an index. In presentations, the package accepts each element of the array for an index. */
  hasIndex: boolean
}

/**
 * Makes a query and credentials. It leaves out what the package reads in another way than the standard: null as the value of a claim,
 * empty arrays, and arrays of values of several kinds.
 */
export function randomCase(random: () => number): RandomCase {
  const of = { chance: (share: number) => random() < share, pick: picker(random), count: counter(random) }
  const queries = Array.from({ length: of.count(1, 4) }, (_, index) => credentialQuery(of, `q${index}`))
  const ids = queries.map(({ id }) => id)
  const option = () => some(of, ids)
  const set = () => ({
    options: Array.from({ length: of.count(1, 3) }, option),
    ...(of.chance(0.5) && { required: of.chance(0.5) }),
  })
  const credentials = Array.from({ length: of.count(0, 6) }, (_, index) => credential(of, `c${index}`))
  const hasIndex = queries.some(({ claims = [] }) =>
    claims.some(({ path }) => path.some((each) => typeof each === 'number')),
  )
  const sets = of.chance(0.5) ? { credential_sets: Array.from({ length: of.count(1, 3) }, set) } : {}
  // The parts of each format fit together, which the types of the package cannot see.
  return { query: { credentials: queries, ...sets } as PackageQuery.Input, credentials, hasIndex }
}

interface Choice {
  chance(share: number): boolean
  pick<Value>(values: readonly Value[]): Value
  /** A number from `least` to `most`. */
  count(least: number, most: number): number
}

function picker(random: () => number) {
  return <Value>(values: readonly Value[]): Value => {
    const value = values[Math.floor(random() * values.length)]
    if (value === undefined) throw new Error('There is nothing to pick from.')
    return value
  }
}

function counter(random: () => number) {
  return (least: number, most: number) => least + Math.floor(random() * (most - least + 1))
}

/** Picks a part of the values, at least one. */
function some<Value>({ pick, chance }: Choice, values: readonly Value[]): Value[] {
  const part = values.filter(() => chance(0.5))
  return part.length > 0 ? part : [pick(values)]
}

const vcts = ['urn:a', 'urn:b', 'urn:c']
const docTypes = ['org.iso.18013.5.1.mDL', 'eu.europa.ec.eudi.pid.1']
const types = ['https://example.org/A', 'https://example.org/B', 'https://example.org/C']
const formats = ['mso_mdoc', 'dc+sd-jwt', 'ldp_vc', 'jwt_vc_json'] as const

const jsonPaths: ClaimPointer[] = [
  ...[['given_name'], ['age'], ['adult'], ['address'], ['address', 'locality'], ['address', 'country']],
  ...[['nationalities'], ['nationalities', null], ['nationalities', 0], ['nationalities', 2]],
  ...[
    ['degrees', null],
    ['degrees', null, 'type'],
    ['degrees', 1, 'year'],
    ['degrees', null, 'year'],
  ],
  ...[
    ['matrix', null, 0],
    ['matrix', null, null],
    ['matrix', 1, null],
    ['matrix', 0, 1],
  ],
  ...[['missing'], ['given_name', 'x'], ['address', 0], ['age', null], ['nationalities', 'x'], ['degrees', 'type']],
]
const mdocPaths = ['ns1', 'ns2', 'ns3'].flatMap((namespace) =>
  ['given_name', 'age', 'adult', 'missing'].map((element): ClaimPointer => [namespace, element]),
)
const values = ['Ada', 'Bob', 17, 18, '18', true, false, 'true', 'DE', 'FR', 'MSc', 2020, 1, 2]

function credentialQuery(of: Choice, id: string) {
  const format = of.pick(formats)
  const claims = some(of, format === 'mso_mdoc' ? mdocPaths : jsonPaths)
    .slice(0, of.count(1, 4))
    .map((path, index) => ({
      id: `k${index}`,
      path,
      ...(of.chance(0.3) && { values: some(of, values) }),
    }))
  const ids = claims.map((claim) => claim.id)
  return {
    id,
    format,
    meta: metaOf(of, format),
    ...(of.chance(0.3) && { multiple: of.chance(0.7) }),
    ...(of.chance(0.3) && { require_cryptographic_holder_binding: of.chance(0.5) }),
    ...(of.chance(0.3) && { trusted_authorities: Array.from({ length: of.count(1, 2) }, () => authority(of)) }),
    ...(of.chance(0.8) && {
      claims,
      ...(of.chance(0.5) && { claim_sets: Array.from({ length: of.count(1, 3) }, () => some(of, ids)) }),
    }),
  }
}

function metaOf(of: Choice, format: (typeof formats)[number]) {
  if (format === 'mso_mdoc') return { doctype_value: of.pick(docTypes) }
  if (format === 'dc+sd-jwt') return { vct_values: some(of, vcts) }
  return { type_values: Array.from({ length: of.count(1, 2) }, () => some(of, types)) }
}

const authorityValues: Record<AuthorityType, string[]> = {
  aki: ['s9tIpPmhxdiuNkHMEWNpYim8S8Y', 'AAAA'],
  etsi_tl: ['https://one.example', 'https://two.example'],
  openid_federation: ['https://one.example', 'https://anchor.example'],
}

function authority(of: Choice) {
  const type = of.pick(authorityTypes)
  return { type, values: some(of, authorityValues[type]) }
}

function credential(of: Choice, issuedId: string): RandomCase['credentials'][number] {
  const format = of.pick(formats)
  const isHolderBound = of.chance(0.8)
  const certified = of.chance(0.7) ? authority(of) : undefined
  const none = { aki: [], etsi_tl: [], openid_federation: [] }
  const authorities = { ...none, ...(certified && { [certified.type]: certified.values }) }
  const claims = format === 'mso_mdoc' ? { ns1: elements(of), ns2: elements(of) } : jsonClaims(of)
  const own = format === 'mso_mdoc' ? [of.pick(docTypes)] : format === 'dc+sd-jwt' ? [of.pick(vcts)] : some(of, types)
  const theirs = {
    credential_format: format,
    cryptographic_holder_binding: isHolderBound,
    ...(certified && { authority: certified }),
    ...(format === 'mso_mdoc' ? { doctype: own[0], namespaces: claims } : { claims }),
    ...(format === 'dc+sd-jwt' && { vct: own[0] }),
    ...(format !== 'mso_mdoc' && format !== 'dc+sd-jwt' && { type: own }),
  }
  return {
    ours: { issuedId, format, types: own, isHolderBound, claims, disclosed: [], authorities },
    theirs: theirs as DcqlCredential,
  }
}

function elements(of: Choice) {
  return {
    ...(of.chance(0.7) && { given_name: of.pick(['Ada', 'Bob']) }),
    ...(of.chance(0.7) && { age: of.count(17, 19) }),
    ...(of.chance(0.7) && { adult: of.chance(0.5) }),
  }
}

function jsonClaims(of: Choice) {
  const many = <Value>(make: () => Value) => Array.from({ length: of.count(1, 3) }, make)
  return {
    ...elements(of),
    ...(of.chance(0.7) && {
      address: {
        ...(of.chance(0.7) && { locality: 'Wien' }),
        ...(of.chance(0.7) && { country: of.pick(['AT', 'DE']) }),
      },
    }),
    ...(of.chance(0.7) && { nationalities: many(() => of.pick(['DE', 'FR', 'NZ'])) }),
    ...(of.chance(0.7) && {
      degrees: many(() => ({
        ...(of.chance(0.8) && { type: of.pick(['BSc', 'MSc']) }),
        ...(of.chance(0.5) && { year: of.count(2019, 2021) }),
      })),
    }),
    ...(of.chance(0.7) && { matrix: many(() => many(() => of.count(1, 4))) }),
  }
}
