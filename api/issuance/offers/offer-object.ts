import type { z } from 'zod'
import type { CredentialOfferView } from './schemas.ts'

export const preAuthorizedGrant = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'
export const transactionCodeLength = 6

export type CredentialOffer = z.infer<typeof CredentialOfferView>

/** The offer that a wallet reads (OpenID4VCI 1.0, section 4.1.1), for a pre-authorized code. */
export function preAuthorizedOffer(
  issuer: string,
  configurationIds: string[],
  code: string,
  transactionCode: { description?: string } | undefined,
): CredentialOffer {
  const txCode = transactionCode && {
    input_mode: 'numeric' as const,
    length: transactionCodeLength,
    ...transactionCode,
  }
  return offer(issuer, configurationIds, {
    [preAuthorizedGrant]: { 'pre-authorized_code': code, ...(txCode ? { tx_code: txCode } : {}) },
  })
}

/** The same for the authorization code flow, shared by any number of people. */
export function sharedOffer(issuer: string, configurationIds: string[], issuerState: string): CredentialOffer {
  return offer(issuer, configurationIds, { authorization_code: { issuer_state: issuerState } })
}

function offer(issuer: string, configurationIds: string[], grants: CredentialOffer['grants']): CredentialOffer {
  return {
    credential_issuer: issuer,
    credential_configuration_ids: configurationIds,
    credentials: configurationIds,
    grants,
  }
}

const longestUri = 2000

/**
 * The URI that carries the offer; undefined when the offer has to be fetched: it would be too long, or has a `%` in it, which
 * wallets that decode the URI twice take for the beginning of a character.
 */
export function offerUri(content: CredentialOffer): string | undefined {
  const text = JSON.stringify(content)
  if (text.includes('%')) return undefined
  const uri = `openid-credential-offer://?credential_offer=${encodeURIComponent(text)}`
  return uri.length <= longestUri ? uri : undefined
}

/** The URI that says where the offer is (OpenID4VCI 1.0, section 4.1.3): at an address that only its secret opens. */
export function offerReferenceUri(issuer: string, reference: string): string {
  const address = `${issuer}/v1/openid/offers/${reference}`
  return `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(address)}`
}
