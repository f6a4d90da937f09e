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

/** How an offer is handed over. */
export interface HandedOver {
  issuer: string
  content: CredentialOffer
  /** What stands in its address (reference.ts). */
  reference: string
  /** Whether the URI was asked to say where the offer is. */
  isByReference: boolean
}

const longestUri = 2000
/** The longest text whose modules in a QR code are two pixels wide on a screen of 320 px. What is longer says where the offer is. */
export const longestQrText = 1700

/** The URI that carries the offer. It says where the offer is instead, where that was asked for or where it would be longer than `longest`. */
export function offerUri({ issuer, content, reference, isByReference }: HandedOver, longest = longestUri): string {
  // A wallet that decodes the URI twice takes a `%` for the beginning of an escape. In JSON only strings have one.
  const text = JSON.stringify(content).replaceAll('%', String.raw`\u0025`)
  const uri = `openid-credential-offer://?credential_offer=${encodeURIComponent(text)}`
  if (!isByReference && uri.length <= longest) return uri
  return offerReferenceUri(issuer, reference)
}

/** The URI that says where the offer is (OpenID4VCI 1.0, section 4.1.3): at an address that only its secret opens. */
function offerReferenceUri(issuer: string, reference: string): string {
  const address = `${issuer}/v1/openid/offers/${reference}`
  return `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(address)}`
}
