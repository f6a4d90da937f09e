import type { ConfigurationRow } from '../../db/repos/configurations.ts'
import { credentialFormats } from '../../shared/formats/credential-format.ts'

/** The OAuth scope that stands for a configuration: its format and type. */
export function scopeOf({ profile, type }: Pick<ConfigurationRow, 'profile' | 'type'>): string {
  return `${credentialFormats[profile]}:${type}`
}
