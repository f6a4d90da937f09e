/** The credential format identifiers of OpenID4VCI (protocol: where the interface and the standard part), by profile. */
export const credentialFormats = {
  compact: 'cwt',
  'compact-semantic': 'cwt_vc',
  'web-semantic': 'ldp_vc',
  mobile: 'mso_mdoc',
} as const

export type CredentialProfile = keyof typeof credentialFormats
export type CredentialFormat = (typeof credentialFormats)[CredentialProfile]
