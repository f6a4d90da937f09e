import { isJsonObject } from '../formats/json-object.ts'
import { type Data, objectIn, textIn, textsIn } from './exchange.ts'

/** An offer with what the wallet must know of its issuer. */
export interface Offer {
  issuer: string
  credentials: { id: string; isBound: boolean }[]
  /** The grant of an offer for one person. */
  preAuthorized?: { code: string; needsCode: boolean; description: string }
  /** The grant of an offer for anybody who signs in. */
  authorization?: { issuerState: string | undefined }
  /** The metadata of the credential issuer. */
  metadata: Data
  /** The metadata of its authorization server. */
  server: Data
}

const preAuthorizedGrant = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

/**
 * Returns the address of a metadata document of an issuer. The path of the issuer identifier follows the well-known path (OpenID4VCI 1.0,
 * section 12.2.2; RFC 8414, section 3.1).
 */
export function metadataAddress(issuer: string, document: string): string {
  const { origin, pathname } = new URL(issuer)
  return `${origin}/.well-known/${document}${pathname === '/' ? '' : pathname}`
}

/** Reads a credential offer (OpenID4VCI 1.0, section 4.1) and the metadata of its issuer. */
export function describeOffer(offer: Data, metadata: Data, server: Data): Offer {
  const grants = objectIn(offer.grants)
  const pre = objectIn(grants[preAuthorizedGrant])
  const code = objectIn(pre.tx_code)
  const { authorization_code: authorization } = grants
  return {
    issuer: String(offer.credential_issuer ?? ''),
    credentials: textsIn(offer.credential_configuration_ids).map((id) => ({
      id,
      isBound: configurationOf(metadata, id).proof_types_supported !== undefined,
    })),
    ...(pre['pre-authorized_code'] !== undefined && {
      preAuthorized: {
        code: String(pre['pre-authorized_code']),
        needsCode: pre.tx_code !== undefined,
        description: String(code.description ?? ''),
      },
    }),
    ...(isJsonObject(authorization) && {
      authorization: { issuerState: textIn(authorization.issuer_state) },
    }),
    metadata,
    server,
  }
}

/** Returns a configuration of the issuer metadata. */
export function configurationOf(metadata: Data, id: string): Data {
  return objectIn(objectIn(metadata.credential_configurations_supported)[id])
}

/** Returns the form of the token request for a pre-authorized code (OpenID4VCI 1.0, section 6.1). */
export function preAuthorizedForm({ preAuthorized }: Offer, transactionCode: string | undefined): URLSearchParams {
  return new URLSearchParams({
    grant_type: preAuthorizedGrant,
    'pre-authorized_code': preAuthorized?.code ?? '',
    ...(transactionCode !== undefined && { tx_code: transactionCode }),
  })
}
