/** The authentication method with a key instead of a secret (OpenID Connect Core 1.0, section 9; RFC 7523). */
export const privateKeyJwt = 'private_key_jwt'

/** The path of the key set that providers read. */
export const assertionKeySetPath = '/v1/sign-in/jwks'
