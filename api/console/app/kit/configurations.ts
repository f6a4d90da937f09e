import { type Answered, api, callApi, type Schemas } from './api.ts'
import { type ClaimTree, placedClaims } from './claim-tree.ts'
import { language, say } from './language.ts'
import type { Problem } from './problem.ts'
import { readPages } from './read-pages.ts'
import { can } from './session.ts'
import { commonTexts } from './texts.ts'
import { type Reading, useRead } from './use-read.ts'

export const profiles = [
  'compact',
  'compact-semantic',
  'web-semantic',
  'mobile',
  'sd-jwt',
] as const satisfies readonly Profile[]
export type Profile = Schemas['CredentialProfile']

type Mapping = Schemas['ElementMapping']

/** One claim of a configuration: its path in the credential and the source of its value. */
export interface MappedClaim {
  /** The name of the claim. For mobile credentials: the namespace and the element. */
  path: readonly string[]
  mapping: Mapping
}

/** The members of a configuration that users need to choose one. The profile can be any. */
export interface Configuration {
  id: string
  profile: Profile
  type: string
  claims: readonly MappedClaim[]
  /** The IACA that must sign, if the configuration names one. */
  signerCaId?: string | undefined
  /** Whether a claim source is asked for claims. */
  hasClaimSource: boolean
  display: readonly { name: string; locale?: string | undefined }[]
}

/**
 * Reads all configurations of the tenant, of all profiles. Users who only find configurations get them without claims. Others get none.
 */
export function useConfigurations(): Reading<readonly Configuration[]> {
  return useRead(readConfigurations, [])
}

export async function readConfigurations(): Promise<Answered<readonly Configuration[]>> {
  if (!can('retrieveCompactConfigurations')) return can('retrieveConfigurations') ? readSummaries() : { data: [] }
  const lists = await Promise.all(profiles.map(readProfile))
  const failed = lists.find((each): each is { problem: Problem } => each.problem !== undefined)
  return failed ?? { data: lists.flatMap(({ data = [] }) => data) }
}

/** Reads the names and types of all configurations. */
async function readSummaries(): Promise<Answered<readonly Configuration[]>> {
  const { data: pages, problem } = await readPages((query) =>
    callApi(api.GET('/v2/credentials/configurations', { params: { query: { limit: 1000, ...query } } })),
  )
  if (problem) return { problem }
  return {
    data: pages.flatMap(({ data }) =>
      data.map(({ id, profile, type, name }) => ({
        ...{ id, profile, type, claims: [], hasClaimSource: false, display: [{ name }] },
      })),
    ),
  }
}

/** Reads all pages of one profile. A tenant has at most some thousand configurations. */
async function readProfile(profile: Profile): Promise<Answered<readonly Configuration[]>> {
  const { data: pages, problem } = await readPages((query) =>
    callApi(api.GET(pathOf(profile), { params: { query: { limit: 1000, ...query } } })),
  )
  if (problem) return { problem }
  return { data: pages.flatMap(({ data }) => data.map((each) => configurationOf(profile, each))) }
}

// Boundary: the lists have the same members, as far as this file reads them.
const pathOf = (profile: Profile) =>
  `/v2/credentials/${profile}/configurations` as '/v2/credentials/compact/configurations'

interface Read {
  id: string
  type?: string
  /** The type of an SD-JWT VC. */
  vct?: string
  name?: string
  display?: readonly { name: string; locale?: string }[]
  branding?: { name?: string }
  claimSourceId?: string
  signerCaId?: string
  claimMappings: object
}

function configurationOf(
  profile: Profile,
  { id, vct, type = vct ?? id, name, display, branding, claimSourceId, signerCaId, claimMappings }: Read,
): Configuration {
  const own = name ?? branding?.name
  const displays = display?.length ? display : own === undefined ? [] : [{ name: own }]
  const hasClaimSource = claimSourceId !== undefined
  return { id, profile, type, display: displays, claims: claimsOf(profile, claimMappings), signerCaId, hasClaimSource }
}

function claimsOf(profile: Profile, mappings: object): MappedClaim[] {
  const mappedAt = (of: object, inside: string[]) =>
    Object.entries(of).map(([name, mapping]): MappedClaim => ({ path: [...inside, name], mapping }))
  // Boundary: the service validates the tree.
  if (profile === 'sd-jwt') return claimsOfTree(mappings as ClaimTree)
  if (profile !== 'mobile') return mappedAt(mappings, [])
  return Object.entries(mappings).flatMap(([namespace, elements]) => mappedAt(elements, [namespace]))
}

/** Returns the display name, in the reader's language if there is one. Without a name, its profile and first claims tell it apart. */
export function nameOfConfiguration({ display, profile, type, claims }: Configuration): string {
  const own = display.find(({ locale }) => locale?.startsWith(language.value))
  const first = claims.slice(0, 3).map(({ path }) => path.join('.'))
  const about = profile === 'mobile' || first.length === 0 ? type : first.join(', ')
  return own?.name ?? display[0]?.name ?? say(commonTexts.noName, { profile, about })
}

/** The elements of an array are in one claim: the list that they come from. */
function claimsOfTree(tree: ClaimTree): MappedClaim[] {
  return placedClaims(tree).map(({ path, leaf: { mapFrom, type, ...mapping } }): MappedClaim => {
    const isList = mapFrom?.includes('[]') ?? false
    const from = mapFrom?.split('[]')[0]
    return {
      path: path.filter((segment) => segment !== null),
      mapping: {
        ...mapping,
        ...(from !== undefined && { mapFrom: from }),
        type: elementTypeOf(isList ? 'array' : type),
      },
    }
  })
}

/** Returns the type of a form field for a JSON type. */
function elementTypeOf(type: string | undefined): NonNullable<Mapping['type']> {
  if (type === 'boolean') return 'bool'
  if (type === 'integer') return 'int'
  if (type === 'date') return 'full-date'
  return type === 'array' || type === 'object' ? { members: {} } : 'tstr'
}
