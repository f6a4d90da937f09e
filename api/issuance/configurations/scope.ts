import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import { profiles } from '../../../shared/profiles.ts'

/**
 * The OAuth scope that stands for a configuration: its format and type. What may not stand in a scope token (RFC 6749,
 * section 3.3), the space that ends one above all, is percent-encoded.
 */
export function scopeOf({ profile, type }: Pick<ConfigurationRow, 'profile' | 'type'>): string {
  return `${profiles[profile].format}:${type.replace(notInScope, encodeURIComponent)}`
}

const notInScope = /[^\x21\x23\x24\x26-\x5b\x5d-\x7e]/gu
