import { wrongField } from '../../../shared/errors/errors.ts'
import type { Tenant } from '../../access/subjects.ts'

/**
 * Throws `bad_request` if the audience is the issuer identifier of a view. A token for this view would be valid at the tenant too.
 */
export function refuseAudienceOfView({ throughViews }: Tenant, { audience }: { audience: string }): void {
  if (!throughViews.some(({ issuer }) => issuer === audience)) return
  const message =
    'This is the issuer identifier of a view, which accepts tokens with this audience anyway. Name an audience for the tenant itself'
  throw wrongField('audience', message, audience)
}
