import type { RolesOfValue } from '../../../db/tables/console/providers.ts'
import type { Role } from '../../../shared/roles.ts'
import type { ConsoleProvider } from '../../access/console/provider.ts'

type Claims = Readonly<Record<string, unknown>>

export interface SignedInManager {
  managementUserId: string
  managementUserName: string
  roles: Role[]
}

/** Longer ones, and those that hold what cannot be seen, name nobody in events. */
const idPattern = /^\P{C}{1,200}$/u
const longestName = 200

/** Who came, by what the provider says; undefined where it says nothing that could name somebody. Nobody has roles that no value gives. */
export function personOf({ claim, userClaim, roles }: ConsoleProvider, claims: Claims): SignedInManager | undefined {
  const id = claimAt(claims, userClaim)
  if (typeof id !== 'string' || !idPattern.test(id)) return undefined
  return {
    managementUserId: id,
    managementUserName: nameIn(claims) ?? id,
    roles: rolesOf(claimAt(claims, claim), roles),
  }
}

/** The claim of this name, which may have dots in it, or else what a dotted path leads to. */
export function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  return path.split('.').reduce<unknown>((within, name) => memberOf(within, name), claims)
}

function memberOf(within: unknown, name: string): unknown {
  const isObject = typeof within === 'object' && within !== null && !Array.isArray(within)
  // Boundary: it was just seen to be an object.
  return isObject && Object.hasOwn(within, name) ? (within as Claims)[name] : undefined
}

function rolesOf(value: unknown, mapping: readonly RolesOfValue[]): Role[] {
  const values = new Set([value].flat())
  return [...new Set(mapping.filter((each) => values.has(each.value)).flatMap((each) => each.roles))]
}

/** For display alone: anybody may be called so. */
function nameIn(claims: Claims): string | undefined {
  const named = [claims.name, claims.preferred_username, claims.email].map(shown)
  return named.find((name) => name !== undefined && name !== '')
}

function shown(name: unknown): string | undefined {
  return typeof name === 'string' ? name.replaceAll(/\p{C}/gu, '').trim().slice(0, longestName) : undefined
}
