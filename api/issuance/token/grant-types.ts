import { preAuthorizedGrant, type SupportedGrantType } from '../../../shared/domain/issuance/grant-types.ts'
import { redeemAuthorizationCode } from './grants/authorization-code.ts'
import type { Grant } from './grants/grant.ts'
import { redeemPreAuthorizedCode } from './grants/pre-authorized-code.ts'
import { redeemRefreshToken } from './grants/refresh-token.ts'

const grants: Record<string, Grant> = {
  authorization_code: redeemAuthorizationCode,
  refresh_token: redeemRefreshToken,
  [preAuthorizedGrant]: redeemPreAuthorizedCode,
} satisfies Record<SupportedGrantType, Grant>

export function findGrant(type: string): Grant | undefined {
  return Object.hasOwn(grants, type) ? grants[type] : undefined
}
