import type { RolesOfValue } from '../../../db/tables/console/providers.ts'
import { isJsonObject } from '../../../shared/formats/json-object.ts'
import type { ConsoleProvider } from '../../access/console/provider.ts'

type Claims = Readonly<Record<string, unknown>>

export interface SignedInManager {
  managementUserId: string
  managementUserName: string
  roles: string[]
}

/** The valid ids of a person in events: at most 200 characters, without control and other invisible characters. */
const idPattern = /^\P{C}{1,200}$/u
const maxNameLength = 200

/** Returns the id, the name and the roles of the person from the claims. Returns undefined if the claims have no usable id. */
export function readPerson({ claim, userClaim, roles }: ConsoleProvider, claims: Claims): SignedInManager | undefined {
  const id = claimAt(claims, userClaim)
  if (typeof id !== 'string' || !idPattern.test(id)) return undefined
  return {
    managementUserId: id,
    managementUserName: nameIn(claims) ?? id,
    roles: rolesOf(claimAt(claims, claim), roles),
  }
}

/** Returns the claim with this name. The name can contain dots. Otherwise the name is read as a dotted path. */
export function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  return path.split('.').reduce<unknown>((within, name) => memberOf(within, name), claims)
}

function memberOf(within: unknown, name: string): unknown {
  return isJsonObject(within) && Object.hasOwn(within, name) ? within[name] : undefined
}

function rolesOf(value: unknown, mapping: readonly RolesOfValue[]): string[] {
  const values = new Set([value].flat())
  return [...new Set(mapping.filter((each) => values.has(each.value)).flatMap((each) => each.roles))]
}

/** Returns a name only for display. Names are not unique and not verified. */
function nameIn(claims: Claims): string | undefined {
  const named = [claims.name, claims.preferred_username, claims.email].map(displayable)
  return named.find((name) => name !== undefined && name !== '')
}

function displayable(name: unknown): string | undefined {
  return typeof name === 'string' ? name.replaceAll(/\p{C}/gu, '').trim().slice(0, maxNameLength) : undefined
}
