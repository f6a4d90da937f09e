import type { TenantSettings } from '../../../db/tables/tenancy/tenants.ts'
import { type PlatformKeyPolicy, weakenedParts } from '../../../shared/domain/identifiers/key-policy.ts'
import { Problem } from '../../../shared/errors/errors.ts'

/** Throws `bad_request` for parts with software keys although the platform requires hardware. Names each of them. */
export function refuseWeakenedKeys({ keys }: Pick<TenantSettings, 'keys'>, platform: PlatformKeyPolicy): void {
  const details = weakenedParts(keys, platform).map((part) => ({
    ...{ param: `keys.${part}`, location: 'body' as const },
    msg: 'The platform requires these keys in hardware. Name another provider than software.',
  }))
  if (details.length > 0) throw new Problem('bad_request', { details })
}
