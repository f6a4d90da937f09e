import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'

export function presentConfiguration({ id, type, settings }: ConfigurationRow) {
  return { id, type, ...settings }
}
