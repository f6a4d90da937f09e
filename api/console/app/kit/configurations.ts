import { type Answered, api, ask, type Schemas } from './api.ts'
import { language } from './language.ts'
import type { Problem } from './problem.ts'
import { type Reading, useRead } from './use-read.ts'

export const profiles = ['compact', 'compact-semantic', 'web-semantic', 'mobile'] as const satisfies readonly Profile[]
export type Profile = Schemas['CredentialProfile']

type Mapping = Schemas['ElementMapping']

/** One claim of a configuration: where it stands in the credential, and where its value comes from. */
export interface MappedClaim {
  /** Its name; of a mobile credential namespace and element. */
  place: readonly string[]
  mapping: Mapping
}

/** A configuration of any profile, as far as people choose one. */
export interface Configuration {
  id: string
  profile: Profile
  type: string
  claims: readonly MappedClaim[]
  display: readonly { name: string; locale?: string | undefined }[]
}

/** All configurations of the tenant, of all profiles. */
export function useConfigurations(): Reading<readonly Configuration[]> {
  return useRead(readAll, [])
}

async function readAll(): Promise<Answered<readonly Configuration[]>> {
  const lists = await Promise.all(profiles.map(readProfile))
  const failed = lists.find((each): each is { problem: Problem } => each.problem !== undefined)
  return failed ?? { data: lists.flatMap(({ data = [] }) => data) }
}

/** A tenant has at most some thousands, which are a few pages. */
async function readProfile(profile: Profile): Promise<Answered<readonly Configuration[]>> {
  const all: Configuration[] = []
  let cursor: string | undefined
  do {
    const query = { limit: 1000, ...(cursor && { cursor }) }
    const { data, problem } = await ask(api.GET(pathOf(profile), { params: { query } }))
    if (problem) return { problem }
    all.push(...data.data.map((each) => configurationOf(profile, each)))
    cursor = data.nextCursor
  } while (cursor)
  return { data: all }
}

// Boundary: the four lists are alike as far as they are read here.
const pathOf = (profile: Profile) =>
  `/v2/credentials/${profile}/configurations` as '/v2/credentials/compact/configurations'

interface Read {
  id: string
  type: string
  name?: string
  display?: readonly { name: string; locale?: string }[]
  branding?: { name?: string }
  claimMappings: object
}

function configurationOf(profile: Profile, { id, type, name, display, branding, claimMappings }: Read): Configuration {
  const own = name ?? branding?.name
  const shown = display?.length ? display : own === undefined ? [] : [{ name: own }]
  return { id, profile, type, display: shown, claims: claimsOf(profile, claimMappings) }
}

function claimsOf(profile: Profile, mappings: object): MappedClaim[] {
  const placed = (of: object, inside: string[]) =>
    Object.entries(of).map(([name, mapping]): MappedClaim => ({ place: [...inside, name], mapping }))
  if (profile !== 'mobile') return placed(mappings, [])
  return Object.entries(mappings).flatMap(([namespace, elements]) => placed(elements, [namespace]))
}

/** What people call it, in the reader's language where it has that. */
export function nameOfConfiguration({ display, type }: Configuration): string {
  const own = display.find(({ locale }) => locale?.startsWith(language.value))
  return own?.name ?? display[0]?.name ?? type
}
