import { z } from 'zod'
import { Problem } from '../../shared/errors.ts'
import { newSecret } from '../../shared/ids.ts'
import { parseJson } from '../http/json.ts'
import type { TokenResponse } from './schemas.ts'

const Details = z
  .array(z.object({ type: z.literal('openid_credential'), credential_configuration_id: z.string().max(200) }))
  .min(1)
  .max(100)

export interface GrantedDetails {
  /** Configuration id by credential identifier. */
  credentialIdentifiers: Record<string, string>
  /** The member of the token response; absent unless the wallet asked. */
  authorizationDetails?: NonNullable<TokenResponse['authorization_details']>
}

/**
 * Grants the `authorization_details` of a token request (OpenID4VCI 1.0, sections 5.1.1 and 6.2). Identifiers are returned
 * only to wallets that ask this way, since those that do not may be unable to use them.
 */
export function grantAuthorizationDetails(text: string | undefined, allowed: string[]): GrantedDetails {
  if (text === undefined) return { credentialIdentifiers: {} }
  const details = detailedConfigurationIds(text)
  if (!details.every((id) => allowed.includes(id))) throw new Problem('invalid_authorization_details')
  return identifiersOf(details)
}

/** A credential identifier for each configuration, with the member of the token response that names them. */
export function identifiersOf(configurationIds: string[]): GrantedDetails {
  const credentialIdentifiers: Record<string, string> = {}
  const authorizationDetails = configurationIds.map((id) => {
    const identifier = newSecret()
    credentialIdentifiers[identifier] = id
    return {
      type: 'openid_credential' as const,
      credential_configuration_id: id,
      credential_identifiers: [identifier],
    }
  })
  return { credentialIdentifiers, authorizationDetails }
}

/** The configurations that `authorization_details` ask for, each once. Throws `invalid_authorization_details`. */
export function detailedConfigurationIds(text: string): string[] {
  try {
    const details = Details.parse(parseJson(text))
    return [...new Set(details.map((each) => each.credential_configuration_id))]
  } catch (error) {
    if (error instanceof Problem || error instanceof z.ZodError) throw new Problem('invalid_authorization_details')
    throw error
  }
}
