import type { ConfigurationType } from '../../../db/repos/issuance/configurations.ts'
import { findConfigurationTypes } from '../../../db/repos/issuance/configurations.ts'
import { profiles } from '../../../shared/domain/issuance/profiles.ts'
import type { Deps } from '../../deps.ts'
import { defineTenantCache } from '../../process/caches.ts'

/** The OAuth scope of each configuration, by its id. */
export type Scopes = ReadonlyMap<string, string>

/** A change by another process is visible after this time. */
const scopesTtlMs = 1_000

const scopesCache = defineTenantCache<Promise<Scopes>>('scopes', { max: 1_000, ttl: scopesTtlMs })

/**
 * Returns the published scope of each configuration. The operator can choose one. The default of an SD-JWT VC is its id, because its type
 * can change with each new version of its type metadata. The default of other configurations is the scope of their type
 * (`typeScopesOf`). `configurations` must contain all configurations of the tenant, the oldest first.
 */
export function scopesOf(configurations: readonly ConfigurationType[]): Scopes {
  const typeScopes = typeScopesOf(configurations)
  const scopeOf = ({ id, profile, scope }: ConfigurationType) =>
    scope ?? (profile === 'sd-jwt' ? id : (typeScopes.get(id) ?? id))
  return new Map(configurations.map((configuration) => [configuration.id, scopeOf(configuration)]))
}

/**
 * Returns the scope of each configuration by its format and type. If configurations share both, the oldest has this
 * scope, and the others append their id. A configuration keeps it beside the scope that an operator has chosen.
 */
export function typeScopesOf(configurations: readonly ConfigurationType[]): Scopes {
  const scopes = new Map<string, string>()
  const taken = new Set<string>()
  for (const configuration of configurations) {
    let scope = scopeOfType(configuration)
    while (taken.has(scope)) scope += `:${configuration.id}`
    taken.add(scope)
    scopes.set(configuration.id, scope)
  }
  return scopes
}

/** Returns the scopes of the configurations that a wallet's request names. The result can be up to one second old. */
export async function findRecentScopes(
  deps: Deps,
  tenantId: string,
  ids: readonly string[],
  loading = deps.caches.of(scopesCache).get(tenantId),
): Promise<string[]> {
  const latest = await loading
  const scopes = latest && ids.every((id) => latest.has(id)) ? latest : await readScopes(deps, tenantId)
  return ids.map((id) => scopes.get(id)).filter((scope) => scope !== undefined)
}

/** Returns the tenant's scopes for a later `findRecentScopes`. The result can be up to one second old. */
export function loadRecentScopes(deps: Deps, tenantId: string): Promise<Scopes> {
  return deps.caches.of(scopesCache).get(tenantId) ?? readScopes(deps, tenantId)
}

function readScopes({ db, caches }: Deps, tenantId: string): Promise<Scopes> {
  const loading = findConfigurationTypes(db.read, tenantId).then(scopesOf)
  const cache = caches.of(scopesCache)
  cache.set(tenantId, loading)
  loading.catch(() => cache.delete(tenantId))
  return loading
}

/**
 * Returns the scope of a format and type. Characters that a scope token cannot contain (RFC 6749, section 3.3), such as
 * the space, are percent-encoded.
 */
export function scopeOfType({ profile, type }: Pick<ConfigurationType, 'profile' | 'type'>): string {
  return `${profiles[profile].format}:${type.replace(notInScope, encodeURIComponent)}`
}

const notInScope = /[^\x21\x23\x24\x26-\x5b\x5d-\x7e]/gu
