import type { Reader } from '../../../db/client.ts'
import {
  findIdsByScope,
  findNamedConfigurations,
  findOldestOfTypes,
  type NamedConfiguration,
} from '../../../db/repos/issuance/configurations.ts'
import { type CredentialProfile, credentialProfiles, profiles } from '../../../shared/domain/issuance/profiles.ts'
import { sdJwtTypePath } from '../../../shared/domain/issuance/sd-jwt-types.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { isText } from '../../../shared/formats/lossless-json.ts'
import { isChosenScope } from './chosen-scope.ts'
import { type Scopes, scopeOfType, typeScopesOf } from './scope.ts'

/** The maximum in one authorization request, as in an offer. */
const maxScopes = 100

/**
 * Returns the configurations that the scopes of a request name, the oldest first. A scope names one configuration or none. Reads no
 * others than those that decide this, in two steps, so that a request costs the same however many a tenant has. Throws
 * `invalid_scope` for too many.
 */
export async function findScopedIds(db: Reader, tenantId: string, scope: string): Promise<string[]> {
  const texts = [...new Set(scope.split(' '))]
  if (texts.length > maxScopes) {
    throw new Problem('invalid_scope', { message: `A request can name at most ${maxScopes} scopes` })
  }
  const requested = texts.map(readScope)
  const types = requested.flatMap(({ profile, types }) => (profile ? types.map((type) => ({ profile, type })) : []))
  const [oldestIds, chosenIds] = await Promise.all([
    findOldestOfTypes(db, tenantId, types),
    findIdsByScope(db, tenantId, texts.filter(isChosenScope)),
  ])
  const ids = new Set([...oldestIds, ...chosenIds, ...requested.flatMap(({ ids }) => ids)])
  const rows = await findNamedConfigurations(db, tenantId, [...ids])
  const oldestFirst = rows.sort(
    (one, other) => one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1),
  )
  const typeScopes = typeScopesOf(oldestFirst)
  const named = new Set(requested.map((each) => findNamed(each, oldestFirst, typeScopes)?.id))
  return oldestFirst.flatMap(({ id }) => (named.has(id) ? [id] : []))
}

/** Finds the configuration of a scope: by the scope of its operator, by its id, and by its type. */
function findNamed(
  { text, namedId }: ReadScope,
  rows: readonly NamedConfiguration[],
  typeScopes: Scopes,
): NamedConfiguration | undefined {
  return (
    rows.find(({ scope }) => scope === text) ??
    rows.find(({ id }) => id === namedId) ??
    rows.find(({ id }) => typeScopes.get(id) === text) ??
    // Its scope until the older configuration of this type was deleted.
    rows.find((row) => `${scopeOfType(row)}:${row.id}` === text)
  )
}

interface ReadScope {
  text: string
  /** The configuration that the scope names, whatever its type is. */
  namedId?: string
  /** The profile, and the types and ids that can make up a scope of a type (`typeScopesOf`). */
  profile?: CredentialProfile
  types: string[]
  ids: string[]
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const onlyId = new RegExp(`^${uuid}$`)
const withId = new RegExp(`^(.*):(${uuid})$`, 's')
/** Earlier versions published the address of the type metadata, which differs between versions, as the scope. */
const ofSdJwtType = new RegExp(`${sdJwtTypePath(`(${uuid})`, '[0-9]+')}$`)
/** More ids than fit into the longest type. */
const maxIds = 6

function readScope(text: string): ReadScope {
  if (onlyId.test(text)) return { text, namedId: text, types: [], ids: [text] }
  const [format = ''] = text.split(':', 1)
  const profile = profileByFormat.get(format)
  const type = decodeType(text.slice(format.length + 1))
  if (profile === undefined || type === undefined) return { text, types: [], ids: [] }
  const namedId = profile === 'sd-jwt' ? ofSdJwtType.exec(type)?.[1] : undefined
  const read: ReadScope = { text, profile, types: [type], ids: [] }
  // A type can itself end like the scope of another configuration.
  for (let match = withId.exec(type); match && read.ids.length < maxIds; match = withId.exec(match[1] ?? '')) {
    const [, rest = '', id = ''] = match
    read.types.push(rest)
    read.ids.push(id)
  }
  return namedId === undefined ? read : { ...read, namedId, ids: [...read.ids, namedId] }
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
