import { condition, describedConfigurations, elementsOf, members, objectOf, type ReaderCheck } from './check.ts'
import { authorizationCode, grantOf, offeredIds, preAuthorizedCode } from './offers.ts'
import { fileOf, waltId } from './sources.ts'
import {
  areDistinct,
  ifPresent,
  isFilledList,
  isFilledListOf,
  isFilledText,
  isListOf,
  isPlainIssuerUrl,
  isString,
  isWhole,
} from './values.ts'

const folder = 'waltid-openid4vci/src/commonMain/kotlin/id/walt/openid4vci'
const file = (path: string) => fileOf(waltId, `${folder}/${path}`)
const ofWallet = (path: string) =>
  fileOf(waltId, `waltid-openid4vci-wallet/src/commonMain/kotlin/id/waltid/openid4vci/wallet/${path}`)
const server = file('metadata/oauth/AuthorizationServerMetadata.kt')
const offers = file('offers/CredentialOffer.kt')
const ofServer = { part: 'serverMetadata', affects: 'issuer' } as const
const ofOffer = { part: 'offer', affects: 'issuer' } as const

/** Members of the authorization server that are absent instead of empty (RFC 8414, section 3.2). */
const lists = [
  ...['scopes_supported', 'response_modes_supported', 'grant_types_supported', 'code_challenge_methods_supported'],
  ...['token_endpoint_auth_methods_supported', 'dpop_signing_alg_values_supported'],
  ...['authorization_details_types_supported', 'revocation_endpoint_auth_methods_supported'],
]

/** The requirements for the authorization server, for offers and for answers. */
export const checksOfWaltIdAnswers: readonly ReaderCheck[] = [
  {
    ...{ ...ofServer, id: 'server_issuer', source: server },
    what: 'The issuer of the authorization server is a URL without a query and a fragment',
    check: members('serverMetadata', ['issuer'], isPlainIssuerUrl, 'a URL without query and fragment'),
  },
  {
    ...{ ...ofServer, id: 'response_types', source: server },
    what: 'The authorization server has response types',
    check: members('serverMetadata', ['response_types_supported'], isFilledListOf(isFilledText), 'a list of texts'),
  },
  {
    ...{ ...ofServer, id: 'empty_lists', source: server },
    what: 'A list of the authorization server is absent instead of empty',
    check: members('serverMetadata', lists, ifPresent(isFilledList), 'absent, or a list that is not empty'),
  },
  {
    ...{ ...ofServer, id: 'server_endpoints', source: server },
    what: 'An authorization server of both grants has the authorization endpoint and the token endpoint',
    check: condition(
      'serverMetadata',
      'authorization_endpoint',
      ({ grant_types_supported: types, authorization_endpoint, token_endpoint }) => {
        const has = (grant: string) => types === undefined || elementsOf(types).includes(grant)
        const isAuthorization = !has(authorizationCode) || isFilledText(authorization_endpoint)
        return isAuthorization && (!(has(authorizationCode) || has(preAuthorizedCode)) || isFilledText(token_endpoint))
      },
      'authorization_endpoint or token_endpoint is missing for a supported grant.',
    ),
  },
  {
    ...{ ...ofServer, id: 'attestation_algorithms', source: server },
    what: 'An authorization server that accepts client attestations has their algorithms',
    check: condition(
      'serverMetadata',
      'client_attestation_signing_alg_values_supported',
      (document) =>
        !elementsOf(document.token_endpoint_auth_methods_supported).includes('attest_jwt_client_auth') ||
        (isFilledList(document.client_attestation_signing_alg_values_supported) &&
          isFilledList(document.client_attestation_pop_signing_alg_values_supported)),
      'attest_jwt_client_auth requires the algorithms of client attestations.',
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_issuer_url', source: offers },
    what: 'The issuer of an offer is a URL without a query and a fragment',
    check: members('offer', ['credential_issuer'], isPlainIssuerUrl, 'a URL without query and fragment'),
  },
  {
    ...{ ...ofOffer, id: 'offer_configurations', source: offers },
    what: 'An offer has configurations, none twice',
    check: condition(
      'offer',
      'credential_configuration_ids',
      (offer) => isFilledListOf(isFilledText)(offer.credential_configuration_ids) && areDistinct(offeredIds(offer)),
      'credential_configuration_ids is empty, or has an id twice.',
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_in_metadata', source: ofWallet('metadata/OfferedCredentialResolver.kt') },
    what: 'The metadata have all configurations of an offer',
    check: condition(
      'offer',
      'credential_configuration_ids',
      (offer, documents) => {
        const ids = describedConfigurations(documents).map(([id]) => id)
        return offeredIds(offer).every((id) => ids.includes(id))
      },
      'credential_configuration_ids has an id that is not in the metadata.',
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_single_grant', source: offers },
    what: 'An offer does not have both grants',
    check: condition(
      'offer',
      'grants',
      (offer) => [authorizationCode, preAuthorizedCode].some((grant) => grantOf(offer, grant) === undefined),
      'grants has authorization_code and the pre-authorized code.',
      'Create one offer for each grant.',
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_code', source: offers },
    what: 'The pre-authorized code is a text, and the length of a transaction code a number',
    check: condition(
      'offer',
      `grants.${preAuthorizedCode}`,
      (offer) => {
        const grant = grantOf(offer, preAuthorizedCode)
        if (grant === undefined) return true
        return isString(grant['pre-authorized_code']) && ifPresent(isWhole)(objectOf(grant.tx_code).length)
      },
      'pre-authorized_code must be a text, and the length of tx_code a whole number.',
    ),
  },
  {
    ...{ part: 'tokenAnswer', affects: 'issuer', id: 'token', source: ofWallet('token/TokenRequestBuilder.kt') },
    what: 'A token answer has an access token and its type',
    check: condition(
      'tokenAnswer',
      'access_token',
      ({ access_token, token_type, expires_in }) =>
        isString(access_token) && isString(token_type) && ifPresent(isWhole)(expires_in),
      'access_token and token_type must be texts, and expires_in a whole number.',
    ),
  },
  {
    ...{ part: 'credentialAnswer', affects: 'issuer', id: 'credentials' },
    source: file('responses/credential/CredentialResponses.kt'),
    what: 'Each of the credentials is present, and an interval is a whole number',
    check: condition(
      'credentialAnswer',
      'credentials',
      ({ credentials, interval }) =>
        ifPresent(isListOf((each) => objectOf(each).credential !== undefined))(credentials) &&
        ifPresent(isWhole)(interval),
      'credentials must be a list of objects with a credential, and interval a whole number.',
    ),
  },
]
