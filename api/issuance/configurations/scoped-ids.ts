import type { Reader } from '../../../db/client.ts'
import { findNamedConfigurations, findOldestOfTypes } from '../../../db/repos/issuance/configurations.ts'
import { type CredentialProfile, credentialProfiles, profiles } from '../../../shared/domain/issuance/profiles.ts'
import { Problem } from '../../../shared/errors.ts'
import { isText } from '../../../shared/formats/lossless-json.ts'
import { scopesOf } from './scope.ts'

/** The maximum in one authorization request, as in an offer. */
const maxScopes = 100

/**
 * The configurations that the scopes of a request name, the oldest first. Reads no others than those that decide this, in two statements, so that
 * a request costs the same however many a tenant has. Throws `invalid_scope` for too many.
 */
export async function findScopedIds(db: Reader, tenantId: string, scope: string): Promise<string[]> {
  const requested = new Map(
    [...new Set(scope.split(' '))].flatMap((each) => {
      const read = readScope(each)
      return read ? [[each, read] as const] : []
    }),
  )
  if (requested.size > maxScopes) {
    throw new Problem('invalid_scope', { message: `A request can name at most ${maxScopes} scopes of credentials` })
  }
  const named = [...requested.values()]
  const types = named.flatMap(({ profile, types }) => types.map((type) => ({ profile, type })))
  const oldestIds = await findOldestOfTypes(db, tenantId, types)
  const ids = new Set([...oldestIds, ...named.flatMap((each) => each.ids)])
  const rows = await findNamedConfigurations(db, tenantId, [...ids])
  const oldestFirst = rows.sort(
    (one, other) => one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1),
  )
  return [...scopesOf(oldestFirst)].flatMap(([id, own]) => (requested.has(own) ? [id] : []))
}

/** The types and ids that can make up a scope (`scopesOf`). */
interface ReadScope {
  profile: CredentialProfile
  types: string[]
  ids: string[]
}

const withId = /^(.*):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/s
/** More ids than fit into the longest type. */
const maxIds = 6

/** Returns undefined for a scope that names no credential format of this service. */
function readScope(scope: string): ReadScope | undefined {
  const [format = ''] = scope.split(':', 1)
  const profile = profileByFormat.get(format)
  const type = decodeType(scope.slice(format.length + 1))
  if (profile === undefined || type === undefined) return undefined
  const read: ReadScope = { profile, types: [type], ids: [] }
  // A type can itself end like the scope of another configuration.
  for (let match = withId.exec(type); match && read.ids.length < maxIds; match = withId.exec(match[1] ?? '')) {
    const [, rest = '', id = ''] = match
    read.types.push(rest)
    read.ids.push(id)
  }
  return read
}

const profileByFormat = new Map(credentialProfiles.map((profile) => [profiles[profile].format as string, profile]))

/** Returns undefined for a text that is not encoded, or whose content the database does not accept. */
function decodeType(text: string): string | undefined {
  try {
    const type = decodeURIComponent(text)
    return isText(type) ? type : undefined
  } catch {
    return undefined
  }
}
