/** OpenID4VCI 1.0, section 3.5. */
export const preAuthorizedGrant = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

/** The grant types of the token endpoint, which the metadata publish. */
export const supportedGrantTypes = ['authorization_code', 'refresh_token', preAuthorizedGrant] as const

export type SupportedGrantType = (typeof supportedGrantTypes)[number]
