import { preAuthorizedGrant } from '../../../shared/domain/issuance/grant-types.ts'
import { elementsOf, type JsonMembers, objectOf } from './check.ts'
import { isString, isWhole } from './values.ts'

export const preAuthorizedCode = preAuthorizedGrant
export const authorizationCode = 'authorization_code'

/** Returns a grant of an offer. */
export function grantOf(offer: JsonMembers, name: string): JsonMembers | undefined {
  const grant = objectOf(offer.grants)[name]
  return grant === undefined ? undefined : objectOf(grant)
}

export function offeredIds(offer: JsonMembers): string[] {
  return elementsOf(offer.credential_configuration_ids).filter(isString)
}

/** OpenID4VCI 1.0, section 4.1.1. */
export function isTxCode(value: unknown, maxDescription: number): boolean {
  if (value === undefined) return true
  const { input_mode: mode, length, description } = objectOf(value)
  const isMode = mode === undefined || mode === 'numeric' || mode === 'text'
  const isDescription = description === undefined || (isString(description) && description.length <= maxDescription)
  return isMode && isDescription && (length === undefined || isWhole(length))
}
