import { z } from 'zod'
import type { AuthorizationRow } from '../../../db/repos/issuance/sessions/authorizations.ts'
import type { CheckName } from '../../../shared/domain/issuance/checks.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { newSecret } from '../../../shared/ids.ts'
import { parseJson } from '../../http/json.ts'
import type { TokenResponse } from './schemas.ts'

const Details = z
  .array(z.object({ type: z.literal('openid_credential'), credential_configuration_id: z.string().max(200) }))
  .min(1)
  .max(100)

/**
 * Grants the `authorization_details` of a token request (OpenID4VCI 1.0, sections 5.1.1 and 6.2). Returns the
 * configuration ids by credential identifier. Wallets that do not send `authorization_details` get no identifiers,
 * because they may not support them.
 */
export function grantAuthorizationDetails(text: string | undefined, allowed: string[]): Record<string, string> {
  if (text === undefined) return {}
  const details = detailedConfigurationIds(text, 'authorization_details')
  if (!details.every((id) => allowed.includes(id)))
    throw new Problem('invalid_authorization_details', { check: 'authorization_details' })
  return identifiersOf(details)
}

/**
 * Grants the `authorization_details` of a token request for an authorization. Without them, every granted configuration gets an
 * identifier if the authorization request had `authorization_details`.
 */
export function identifiersFor(
  text: string | undefined,
  { configurationIds, detailsRequested }: Pick<AuthorizationRow, 'configurationIds' | 'detailsRequested'>,
): Record<string, string> {
  if (text === undefined && detailsRequested) return identifiersOf(configurationIds)
  return grantAuthorizationDetails(text, configurationIds)
}

/** Returns a new credential identifier for each configuration. */
function identifiersOf(configurationIds: string[]): Record<string, string> {
  return Object.fromEntries(configurationIds.map((id) => [newSecret(), id]))
}

/** Returns the `authorization_details` of the token response, in their order. */
export function presentDetails(
  credentialIdentifiers: Record<string, string>,
): NonNullable<TokenResponse['authorization_details']> {
  return Object.entries(credentialIdentifiers).map(([identifier, id]) => ({
    type: 'openid_credential',
    credential_configuration_id: id,
    credential_identifiers: [identifier],
  }))
}

/**
 * Returns the configurations that `authorization_details` name, without duplicates. Throws
 * `invalid_authorization_details`.
 */
export function detailedConfigurationIds(text: string, check?: CheckName): string[] {
  try {
    const details = Details.parse(parseJson(text))
    return [...new Set(details.map((each) => each.credential_configuration_id))]
  } catch (error) {
    if (error instanceof Problem || error instanceof z.ZodError)
      throw new Problem('invalid_authorization_details', { check })
    throw error
  }
}
