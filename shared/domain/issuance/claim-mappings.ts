import type { ClaimPointer } from '../../formats/sd-jwt/claim-pointer.ts'
import type { ClaimMapping } from './profile-settings.ts'
import type { CredentialProfile, OfProfile } from './profiles.ts'

/** A configuration whose claims have paths of a fixed length. The claims of an SD-JWT VC are a tree. */
export type MappedConfiguration = OfProfile<object, Exclude<CredentialProfile, 'sd-jwt'>>

/** One claim of a configuration. */
export interface PlacedMapping {
  /** The path of the claim in the claims of an issuance. */
  path: readonly string[]
  mapping: ClaimMapping
}

/** Returns the claims of a configuration in its order. */
export function mappingsOf(configuration: MappedConfiguration): PlacedMapping[] {
  if (configuration.profile !== 'mobile') return placed(configuration.settings.claimMappings, [])
  const namespaces = Object.entries(configuration.settings.claimMappings)
  return namespaces.flatMap(([namespace, mappings]) => placed(mappings, [namespace]))
}

/** Returns the mapping of the claim at a path in the claims of an issuance, or of the claim that contains the path. */
export function mappingAt({ profile, settings }: MappedConfiguration, path: ClaimPointer): ClaimMapping | undefined {
  const [first, second] = path
  if (profile !== 'mobile') return memberOf(settings.claimMappings, first)
  return memberOf(memberOf(settings.claimMappings, first) ?? {}, second)
}

function memberOf<Member>(members: Readonly<Record<string, Member>>, name: ClaimPointer[number] | undefined) {
  return typeof name === 'string' && Object.hasOwn(members, name) ? members[name] : undefined
}

function placed(mappings: Record<string, ClaimMapping>, inside: string[]): PlacedMapping[] {
  return Object.entries(mappings).map(([name, mapping]) => ({ path: [...inside, name], mapping }))
}
