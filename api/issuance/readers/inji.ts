import {
  condition,
  configurationMembers,
  describedConfigurations,
  elementsOf,
  knownFormats,
  members,
  objectOf,
  type ReaderCheck,
} from './check.ts'
import { authorizationCode, grantOf, offeredIds, preAuthorizedCode } from './offers.ts'
import { fileOf, inji } from './sources.ts'
import { ifPresent, isFilledText, isListOf, isPositive, isString } from './values.ts'

const metadata = fileOf(inji, 'issuerMetadata/IssuerMetadataService.kt', '1e5ecdca095a563a3cbc35da3632294069db363c')
const server = fileOf(
  inji,
  'authorizationServer/AuthorizationServerResolver.kt',
  '89602c69636ea46ef2a335ef0d0c8493fcf7bd0e',
)
const offers = fileOf(inji, 'credentialOffer/CredentialOfferValidator.kt', '07a41d8019ec1631ba48854400c8c3334ff8a131')
const flow = fileOf(inji, 'credentialOffer/CredentialOfferFlowHandler.kt', '05709305e964742da940eaa0d5faa359f6558e80')
const preAuthorized = fileOf(
  inji,
  'preAuthCodeFlow/PreAuthCodeFlowService.kt',
  '06e734a2a143022b3843a85231c87a95ff779991',
)
const answers = {
  ...fileOf(inji, 'credential/request/CredentialRequestExecutor.kt', '604640b2e73385fba407b09dca54a2b907af2061'),
  repository: 'inji/inji-vci-client',
}
const formats = ['ldp_vc', 'jwt_vc_json', 'mso_mdoc', 'vc+sd-jwt', 'dc+sd-jwt']
const ofIssuer = { part: 'issuerMetadata', affects: 'issuer' } as const
const ofOffer = { part: 'offer', affects: 'issuer' } as const

/** The requirements of the library of Inji. */
export const injiChecks: readonly ReaderCheck[] = [
  {
    ...{ ...ofIssuer, id: 'issuer', source: metadata },
    what: 'The issuer identifier and the credential endpoint are texts',
    check: members('issuerMetadata', ['credential_issuer', 'credential_endpoint'], isString, 'a text'),
  },
  {
    ...{ ...ofIssuer, id: 'configurations', source: metadata },
    what: 'The metadata have configurations',
    check: members(
      'issuerMetadata',
      ['credential_configurations_supported'],
      (value) => value !== undefined && objectOf(value) === value,
      'an object',
    ),
  },
  {
    ...{ part: 'issuerMetadata', affects: 'configuration', id: 'known_format' },
    source: fileOf(inji, 'constants/CredentialFormat.kt'),
    what: 'Configurations of unknown formats cannot be requested',
    check: knownFormats(formats, 'configuration'),
  },
  {
    ...{ part: 'issuerMetadata', affects: 'configuration', id: 'doctype', source: metadata },
    what: 'An mdoc has its document type',
    check: configurationMembers(['mso_mdoc'], 'doctype', isString, 'a text'),
  },
  {
    ...{ part: 'serverMetadata', affects: 'issuer', id: 'server_issuer', source: server },
    what: 'The issuer of the authorization server is the one that the issuer names, or the issuer itself',
    check: condition(
      'serverMetadata',
      'issuer',
      ({ issuer }, { issuerMetadata = {} }) =>
        elementsOf(issuerMetadata.authorization_servers ?? [issuerMetadata.credential_issuer]).includes(issuer),
      'issuer is none of the authorization servers of the issuer.',
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_issuer_url', source: offers },
    what: 'The issuer of an offer is an https: URL',
    check: members(
      'offer',
      ['credential_issuer'],
      (url) => isString(url) && url.startsWith('https://'),
      'an https: URL',
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_configurations', source: offers },
    what: 'An offer has configurations, and none is blank',
    check: condition(
      'offer',
      'credential_configuration_ids',
      (offer) => offeredIds(offer).length > 0 && offeredIds(offer).every(isFilledText),
      'credential_configuration_ids is empty, or has a blank id.',
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_single', source: flow },
    what: 'An offer has one configuration',
    check: condition(
      'offer',
      'credential_configuration_ids',
      (offer) => offeredIds(offer).length <= 1,
      'The offer has several configurations. The wallet reads offers of one.',
      'Create one offer for each configuration.',
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_in_metadata', source: metadata },
    what: 'The metadata have the configuration of an offer',
    check: condition(
      'offer',
      'credential_configuration_ids',
      (offer, documents) => describedConfigurations(documents).some(([id]) => id === offeredIds(offer)[0]),
      'The configuration of the offer is not in the metadata.',
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_grants', source: offers },
    what: 'An offer has an authorization code or a pre-authorized code',
    check: condition(
      'offer',
      'grants',
      (offer) => [authorizationCode, preAuthorizedCode].some((grant) => grantOf(offer, grant) !== undefined),
      'grants has neither authorization_code nor the pre-authorized code.',
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_code', source: offers },
    what: 'The pre-authorized code is not blank',
    check: condition(
      'offer',
      `grants.${preAuthorizedCode}.pre-authorized_code`,
      (offer) => {
        const grant = grantOf(offer, preAuthorizedCode)
        return grant === undefined || isFilledText(grant['pre-authorized_code'])
      },
      'pre-authorized_code must be a text that is not blank.',
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_tx_code_length', source: offers },
    what: 'The length of a transaction code is positive',
    check: condition(
      'offer',
      `grants.${preAuthorizedCode}.tx_code.length`,
      (offer) => ifPresent(isPositive)(objectOf(grantOf(offer, preAuthorizedCode)?.tx_code).length),
      'length must be greater than 0.',
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_grant_types', source: server },
    what: 'The authorization server of an offer with an authorization code supports it, and has its endpoint',
    check: condition(
      'offer',
      'grants.authorization_code',
      (offer, { serverMetadata: { grant_types_supported: types, authorization_endpoint: endpoint } = {} }) =>
        grantOf(offer, authorizationCode) === undefined ||
        ((types === undefined || elementsOf(types).includes(authorizationCode)) && isFilledText(endpoint)),
      'The authorization server lacks the grant authorization_code or the authorization_endpoint.',
      'Change the metadata of the authorization server.',
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_token_endpoint', source: preAuthorized },
    what: 'The authorization server of an offer with a pre-authorized code has a token endpoint',
    check: condition(
      'offer',
      `grants.${preAuthorizedCode}`,
      (offer, { serverMetadata = {} }) =>
        grantOf(offer, preAuthorizedCode) === undefined || isString(serverMetadata.token_endpoint),
      'The authorization server has no token_endpoint.',
      'Change the metadata of the authorization server.',
    ),
  },
  {
    ...{ part: 'credentialAnswer', affects: 'issuer', id: 'credentials', source: answers },
    what: 'Each of the credentials is present',
    check: members(
      'credentialAnswer',
      ['credentials'],
      ifPresent(isListOf((each) => (objectOf(each).credential ?? null) !== null)),
      'a list of objects with a credential',
    ),
  },
]
