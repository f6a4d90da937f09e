import type { X509Certificate } from 'node:crypto'
import { batchSizeOf } from '../proofs/batch-size.ts'
import {
  chainWithoutAnchor,
  type Evidence,
  type Finding,
  looked,
  memberText,
  notApplicable,
  type Requirement,
  toBeTested,
} from './finding.ts'

export const setProfile = 'Set the profile of the tenant to haip'
const activateIaca = 'Activate an IACA: PUT /v2/credentials/mobile/iacas/{id} with active'
const credentialFormats = ['dc+sd-jwt', 'mso_mdoc']
const noConfigurations = 'The tenant has no credential configuration'

/** The requirements of section 4 of HAIP 1.0, and of its sections 4.1 to 4.3. */
export const issuanceRequirements = {
  authorization_code_flow: {
    clause: 'HAIP 1.0, section 4',
    level: 'must',
    text: 'The authorization code flow is supported',
    check: authorizationCode,
    change: 'Add a sign-in provider: POST /v1/users/authentication-providers',
  },
  credential_format: {
    clause: 'HAIP 1.0, sections 4 and 6',
    level: 'must',
    text: 'A credential of the format dc+sd-jwt or mso_mdoc is offered',
    check({ metadata: { issuer } }) {
      const formats = Object.values(issuer.credential_configurations_supported).map(({ format }) => format)
      const names = [...new Set(formats)].join(', ')
      const isMet = formats.some((format) => credentialFormats.includes(format))
      return looked(isMet, `Formats of the credential configurations: ${names || 'none'}`)
    },
    change: 'Create a credential configuration of the profile sd-jwt or mobile',
  },
  fapi_security_profile: {
    clause: 'HAIP 1.0, section 4',
    level: 'must',
    text: 'The provisions of the FAPI 2.0 Security Profile that apply are met',
    check: () => toBeTested('Nothing: the provisions are about the behaviour of each endpoint'),
    test: 'Run the HAIP plan for issuers of the OpenID conformance suite. It has the tests of the FAPI 2.0 Security Profile',
  },
  pkce: {
    clause: 'HAIP 1.0, section 4',
    level: 'must',
    text: 'S256 is the only code challenge method',
    check({ metadata: { server } }) {
      const methods = server.code_challenge_methods_supported
      return looked(methods.join() === 'S256', memberText('code_challenge_methods_supported', methods))
    },
  },
  pushed_authorization_requests: {
    clause: 'HAIP 1.0, section 4',
    level: 'must',
    text: 'Authorization requests must be pushed',
    check({ metadata: { server } }) {
      const isRequired = server.require_pushed_authorization_requests
      return looked(isRequired, memberText('require_pushed_authorization_requests', isRequired))
    },
    change: setProfile,
  },
  issuer_in_response: {
    clause: 'HAIP 1.0, section 4',
    level: 'must',
    text: 'Authorization responses contain iss',
    check({ metadata: { server } }) {
      const isSent = server.authorization_response_iss_parameter_supported
      return looked(isSent, memberText('authorization_response_iss_parameter_supported', isSent))
    },
  },
  dpop: {
    clause: 'HAIP 1.0, section 4',
    level: 'must',
    text: 'Access tokens are bound to a key by DPoP',
    check({ metadata: { resource } }) {
      const isRequired = resource.dpop_bound_access_tokens_required
      return looked(isRequired, memberText('dpop_bound_access_tokens_required', isRequired))
    },
    change: setProfile,
  },
  credential_offer: {
    clause: 'HAIP 1.0, section 4',
    level: 'must',
    text: 'Issuer-initiated flows use a credential offer of OpenID4VCI 1.0, section 4.1',
    check: () => toBeTested(),
    test: 'Create an offer with POST /v1/openid/offers and open it in a wallet',
  },
  batch_size: {
    clause: 'HAIP 1.0, section 4',
    level: 'must',
    text: 'The metadata state whether batch issuance is supported',
    check({ tenant, metadata: { issuer } }) {
      const published = issuer.batch_credential_issuance?.batch_size
      const batchSize = batchSizeOf(tenant)
      const isMet = published === undefined ? batchSize < 2 : published === batchSize
      const setting = `maxCredentialsPerSession of the tenant: ${tenant.settings.maxCredentialsPerSession}`
      return looked(isMet, `${memberText('batch_credential_issuance', published)}. ${setting}`)
    },
  },
  server_metadata: {
    clause: 'HAIP 1.0, section 4.1',
    level: 'must',
    text: 'The authorization server has metadata (RFC 8414)',
    check: ({ tenant, metadata: { server } }) =>
      looked(server.issuer === tenant.issuer, `${memberText('issuer', server.issuer)}. Tenant: ${tenant.issuer}`),
  },
  issuer_metadata: {
    clause: 'HAIP 1.0, section 4.1',
    level: 'must',
    text: 'Wallets can retrieve the metadata of the issuer (OpenID4VCI 1.0, section 12.2.2)',
    check({ tenant, metadata: { issuer } }) {
      const { credential_issuer: id } = issuer
      return looked(id === tenant.issuer, `${memberText('credential_issuer', id)}. Tenant: ${tenant.issuer}`)
    },
  },
  scopes: {
    clause: 'HAIP 1.0, section 4.1',
    level: 'must',
    text: 'Each credential configuration has a scope',
    check: ({ metadata: { issuer } }) => {
      const scopes = Object.values(issuer.credential_configurations_supported).map(({ scope }) => scope)
      if (scopes.length === 0) return notApplicable(noConfigurations)
      return looked(scopes.every(Boolean), `Scopes of the credential configurations: ${scopes.join(', ')}`)
    },
  },
  signed_metadata: {
    clause: 'HAIP 1.0, section 4.1',
    level: 'must',
    text: 'The metadata are available as signed metadata',
    check: ({ signedMetadata: { typ } }) =>
      looked(typ === 'openidvci-issuer-metadata+jwt', `typ of the signed metadata: ${typ}`),
  },
  signed_metadata_x5c: {
    clause: 'HAIP 1.0, section 4.1',
    level: 'must',
    text: 'Signed metadata have a certificate chain (x5c)',
    check: ({
      signedMetadata: {
        chain: [signer],
      },
    }) => looked(signer !== undefined, `x5c of the signed metadata: ${signer ? `signer ${nameOf(signer)}` : 'absent'}`),
    change: activateIaca,
  },
  signed_metadata_chain: {
    clause: 'HAIP 1.0, section 4.1',
    level: 'must',
    text: 'The chain of signed metadata has no trust anchor, and the signer is not self-signed',
    check: ({ signedMetadata: { chain } }) =>
      chain.length === 0
        ? notApplicable('The signed metadata have no x5c')
        : chainWithoutAnchor(chain, 'x5c of the signed metadata'),
  },
  nonce_endpoint: {
    clause: 'HAIP 1.0, section 4.1',
    level: 'must',
    text: 'The metadata have a nonce endpoint if a credential is bound to a key',
    check({ metadata: { issuer } }) {
      const all = Object.values(issuer.credential_configurations_supported)
      if (!all.some((each) => each.cryptographic_binding_methods_supported))
        return notApplicable('No credential configuration has cryptographic_binding_methods_supported')
      return looked(issuer.nonce_endpoint !== undefined, memberText('nonce_endpoint', issuer.nonce_endpoint))
    },
    change: setProfile,
  },
  offer_grant: {
    clause: 'HAIP 1.0, section 4.2',
    level: 'must',
    text: 'Credential offers can have the grant type authorization_code',
    check: authorizationCode,
    change: 'Add a sign-in provider: POST /v1/users/authentication-providers',
  },
  offer_scope: {
    clause: 'HAIP 1.0, section 4.2',
    level: 'must',
    text: 'A wallet finds the scope of each offered credential',
    check({ metadata: { issuer, server } }) {
      const all = Object.values(issuer.credential_configurations_supported)
      if (all.length === 0) return notApplicable(noConfigurations)
      const supported = server.scopes_supported ?? []
      const missing = [...new Set(all.map(({ scope }) => scope))].filter((scope) => !supported.includes(scope))
      const missingText = `Scopes of credential configurations that it does not have: ${listText(missing)}`
      return looked(
        missing.length === 0,
        `${memberText('scopes_supported', `${supported.length} scopes`)}. ${missingText}`,
      )
    },
  },
  offer_devices: {
    clause: 'HAIP 1.0, section 4.2',
    level: 'must',
    text: 'Credential offers work on the same device and across devices',
    check: () => toBeTested(),
    test: 'Open the page of an offer on a phone with a wallet, and scan its QR code with a wallet on another device',
  },
  par_authentication: {
    clause: 'HAIP 1.0, section 4.3',
    level: 'must',
    text: 'Wallets authenticate at the PAR endpoint as at the token endpoint',
    check: authenticationMethods,
    change: setProfile,
  },
  authorization_scope: {
    clause: 'HAIP 1.0, section 4.3',
    level: 'must',
    text: 'The scope of an authorization request identifies one type of credential',
    check({ metadata: { issuer } }) {
      const all = Object.values(issuer.credential_configurations_supported)
      if (all.length === 0) return notApplicable(noConfigurations)
      const byScope = Map.groupBy(all, ({ scope }) => scope)
      const typeOf = ({ format, vct, doctype, credential_definition }: (typeof all)[number]) =>
        JSON.stringify([format, vct, doctype, credential_definition?.type])
      const ambiguous = [...byScope].filter(([, same]) => new Set(same.map(typeOf)).size > 1).map(([scope]) => scope)
      const counts = `${byScope.size} scopes of ${all.length} credential configurations`
      return looked(ambiguous.length === 0, `${counts}. Scopes of several types: ${listText(ambiguous)}`)
    },
  },
} as const satisfies Record<string, Requirement>

function listText(names: readonly string[]): string {
  return names.join(', ') || 'none'
}

function authorizationCode({ metadata: { server }, providers }: Evidence): Finding {
  const grants = server.grant_types_supported
  const isMet = grants.includes('authorization_code') && providers > 0
  return looked(isMet, `${memberText('grant_types_supported', grants)}. Sign-in providers: ${providers}`)
}

/** The endpoints that authenticate clients share their methods. */
export function authenticationMethods({ metadata: { server } }: Evidence): Finding {
  const methods = server.token_endpoint_auth_methods_supported
  return looked(!methods.includes('none'), memberText('token_endpoint_auth_methods_supported', methods))
}

function nameOf({ subject }: X509Certificate): string {
  return subject.replaceAll('\n', ', ')
}
