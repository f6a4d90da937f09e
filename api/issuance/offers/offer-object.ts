import type { z } from 'zod'
import { preAuthorizedGrant } from '../../../shared/domain/issuance/grant-types.ts'
import { transactionCodeLength } from '../../../shared/domain/issuance/transaction-code.ts'
import type { CredentialOfferView } from './schemas.ts'

export type CredentialOffer = z.infer<typeof CredentialOfferView>

/** Returns the credential offer for a pre-authorized code (OpenID4VCI 1.0, section 4.1.1). */
export function preAuthorizedOffer(
  issuer: string,
  configurationIds: string[],
  code: string,
  transactionCode: { description?: string } | undefined,
  authorizationServer: string | undefined,
): CredentialOffer {
  const txCode = transactionCode && {
    input_mode: 'numeric' as const,
    length: transactionCodeLength,
    ...transactionCode,
  }
  return offer(issuer, configurationIds, {
    [preAuthorizedGrant]: {
      'pre-authorized_code': code,
      ...(txCode ? { tx_code: txCode } : {}),
      ...serverMember(authorizationServer),
    },
  })
}

/** Returns the credential offer for the authorization code flow. */
export function authorizationOffer(
  issuer: string,
  configurationIds: string[],
  issuerState: string,
  authorizationServer: string | undefined,
): CredentialOffer {
  const grant = { issuer_state: issuerState, ...serverMember(authorizationServer) }
  return offer(issuer, configurationIds, { authorization_code: grant })
}

/** OpenID4VCI 1.0, section 4.1.1: only if the metadata has several authorization servers. */
function serverMember(authorizationServer: string | undefined): { authorization_server?: string } {
  return authorizationServer === undefined ? {} : { authorization_server: authorizationServer }
}

function offer(issuer: string, configurationIds: string[], grants: CredentialOffer['grants']): CredentialOffer {
  return {
    credential_issuer: issuer,
    credential_configuration_ids: configurationIds,
    credentials: configurationIds,
    grants,
  }
}

/** The input of an offer URI. */
export interface OfferUriInput {
  issuer: string
  /** Where wallets receive offers, such as `haip-vci://`. Default: the scheme of OpenID4VCI. */
  offerUrl?: string | undefined
  content: CredentialOffer
  /** The part of its address (reference.ts). */
  reference: string
  /** Whether the operator requested a URI with a reference. */
  isByReference: boolean
}

/** The scheme of wallets for offers (OpenID4VCI 1.0, section 4.1). */
const offerScheme = 'openid-credential-offer://'

const maxUriLength = 2000
/**
 * The maximum text length for QR modules of two pixels on a screen of 320 px. A longer URI is replaced by a reference.
 */
export const maxQrTextLength = 1700

/**
 * Returns the URI that contains the offer. Returns a URI with a reference if that was requested or if the URI would be
 * longer than `maxLength`.
 */
export function offerUri(
  { issuer, offerUrl = offerScheme, content, reference, isByReference }: OfferUriInput,
  maxLength = maxUriLength,
): string {
  // A wallet that decodes the URI twice would read a `%` as the start of an escape. In JSON only strings contain it.
  const text = JSON.stringify(content).replaceAll('%', String.raw`\u0025`)
  const uri = withParameter(offerUrl, 'credential_offer', text)
  if (!isByReference && uri.length <= maxLength) return uri
  // OpenID4VCI 1.0, section 4.1.3. The secret in the referenced address gives access to the offer.
  return withParameter(offerUrl, 'credential_offer_uri', `${issuer}/v1/openid/offers/${reference}`)
}

function withParameter(offerUrl: string, name: string, value: string): string {
  return `${offerUrl}${offerUrl.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`
}
