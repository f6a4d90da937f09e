import { preAuthorizedGrant } from '../offers/offer-object.ts'
import { redeemAuthorizationCode } from './grants/authorization-code.ts'
import type { Grant } from './grants/grant.ts'
import { redeemPreAuthorizedCode } from './grants/pre-authorized-code.ts'
import { redeemRefreshToken } from './grants/refresh-token.ts'

/** The grant types of the token endpoint, which the metadata publishes. */
const grants: Record<string, Grant> = {
  authorization_code: redeemAuthorizationCode,
  refresh_token: redeemRefreshToken,
  [preAuthorizedGrant]: redeemPreAuthorizedCode,
}

export const supportedGrantTypes: string[] = Object.keys(grants)

export function findGrant(type: string): Grant | undefined {
  return Object.hasOwn(grants, type) ? grants[type] : undefined
}
