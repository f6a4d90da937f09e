import {
  condition,
  configurationMembers,
  elementsOf,
  knownFormats,
  members,
  objectOf,
  type ReaderCheck,
} from './check.ts'
import { authorizationCode, grantOf, isTxCode, offeredIds, preAuthorizedCode } from './offers.ts'
import { eudiIos, fileOf } from './sources.ts'
import { ifPresent, isFilledList, isFilledText, isIssuerUrl, isListOf, isString, isUrl, isWhole } from './values.ts'

const file = (path: string) => fileOf(eudiIos, path)
const metadata = file('Entities/CredentialIssuer/CredentialIssuerMetadata.swift')
const resolver = file('Main/Resolvers/CredentialOffer/CredentialOfferRequestResolver.swift')
const answers = file('Entities/Profiles/SingleIssuanceSuccessResponse.swift')
const identifiers = file('Entities/CredentialIssuer/CredentialIssuerId.swift')
const grants = file('Entities/Types/Grants.swift')
const formats = ['mso_mdoc', 'dc+sd-jwt', 'vc+sd-jwt', 'jwt_vc_json', 'jwt_vc_json-ld', 'ldp_vc']
const requestable = ['mso_mdoc', 'dc+sd-jwt', 'vc+sd-jwt']
const ofIssuer = { part: 'issuerMetadata', affects: 'issuer' } as const
const ofOffer = { part: 'offer', affects: 'issuer' } as const
const ofCredential = { part: 'credentialAnswer', affects: 'issuer' } as const

/** The requirements of the library of the EUDI wallet for iOS. */
export const eudiIosChecks: readonly ReaderCheck[] = [
  {
    ...{ ...ofIssuer, id: 'known_format', source: metadata },
    what: 'The wallet knows the format of each configuration',
    check: knownFormats(formats, 'issuer'),
  },
  {
    ...{ part: 'issuerMetadata', affects: 'configuration', id: 'requestable_format' },
    source: file('Entities/CredentialSupported/CredentialSupported.swift'),
    what: 'The wallet requests mdocs and SD-JWT VCs only',
    check: configurationMembers(
      formats,
      'format',
      (format) => requestable.some((each) => each === format),
      'mso_mdoc or dc+sd-jwt, so that the wallet can request it',
      'Offer this wallet credentials of another format.',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'issuer_url', source: identifiers },
    what: 'The issuer identifier is an https: URL without a query and a fragment',
    check: members('issuerMetadata', ['credential_issuer'], isIssuerUrl, 'an https: URL without query and fragment'),
  },
  {
    ...{
      ...ofIssuer,
      id: 'credential_endpoint',
      source: file('Entities/CredentialIssuer/CredentialIssuerEndpoint.swift'),
    },
    what: 'The credential endpoint is a URL',
    check: members('issuerMetadata', ['credential_endpoint'], isUrl, 'a URL'),
  },
  {
    ...{ ...ofIssuer, id: 'optional_endpoints', source: metadata },
    what: 'The other endpoints are URLs',
    check: members(
      'issuerMetadata',
      ['nonce_endpoint', 'deferred_credential_endpoint', 'notification_endpoint'],
      ifPresent(isUrl),
      'a URL',
    ),
  },
  {
    ...{
      ...ofIssuer,
      id: 'binding_methods',
      source: file('Entities/CredentialIssuer/CryptographicBindingMethod.swift'),
    },
    what: 'The binding methods are jwk, x5c, cose_key, mso or DID methods',
    check: configurationMembers(
      formats,
      'cryptographic_binding_methods_supported',
      (methods) => elementsOf(methods).every((each) => isString(each) && /^(jwk$|x5c$|cose_key$|mso$|did)/.test(each)),
      'a list of jwk, x5c, cose_key, mso and DID methods',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'claim_paths', source: file('Entities/ClaimPath/ClaimPath.swift') },
    what: 'Claim paths have texts, null and whole numbers',
    check: configurationMembers(
      formats,
      'credential_metadata.claims',
      (claims) =>
        elementsOf(claims).every((each) =>
          isListOf((part) => isString(part) || part === null || isWhole(part))(objectOf(each).path),
        ),
      'a list of objects whose path has texts, null or indexes',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'required_encryption', source: metadata },
    what: 'An issuer that requires encrypted responses has keys for encrypted requests',
    check: condition(
      'issuerMetadata',
      'credential_request_encryption',
      ({ credential_response_encryption: response, credential_request_encryption: request }) =>
        objectOf(response).encryption_required !== true ||
        (isFilledList(objectOf(objectOf(request).jwks).keys) && isFilledList(objectOf(request).enc_values_supported)),
      'credential_response_encryption is required, but credential_request_encryption has no key or no method.',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'issuer_display', source: metadata },
    what: 'The display of the issuer is a list of objects whose names are texts',
    check: members(
      'issuerMetadata',
      ['display'],
      ifPresent(isListOf((each) => ifPresent(isString)(objectOf(each).name))),
      'a list of objects whose name is a text',
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_issuer_url', source: identifiers },
    what: 'The issuer of an offer is an https: URL without a query and a fragment',
    check: members('offer', ['credential_issuer'], isIssuerUrl, 'an https: URL without query and fragment'),
  },
  {
    ...{ ...ofOffer, id: 'offer_configurations', source: file('Entities/CredentialOffer/CredentialOffer.swift') },
    what: 'An offer has configurations',
    check: condition(
      'offer',
      'credential_configuration_ids',
      (offer) => offeredIds(offer).some(isFilledText),
      'credential_configuration_ids is empty.',
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_grants', source: grants },
    what: 'The grants of an offer have an authorization code or a pre-authorized code',
    check: condition(
      'offer',
      'grants',
      (offer) =>
        offer.grants === undefined ||
        [authorizationCode, preAuthorizedCode].some((grant) => grantOf(offer, grant) !== undefined),
      'grants has neither authorization_code nor the pre-authorized code.',
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_issuer_state', source: grants },
    what: 'The issuer_state of an offer is not empty',
    check: condition(
      'offer',
      'grants.authorization_code.issuer_state',
      (offer) => grantOf(offer, authorizationCode)?.issuer_state !== '',
      'issuer_state is empty.',
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_authorization_server', source: resolver },
    what: 'The authorization server of an offer is one that the metadata name, or the issuer',
    check: condition(
      'offer',
      'grants',
      (offer, { issuerMetadata = {} }) => {
        const servers = elementsOf(issuerMetadata.authorization_servers ?? [issuerMetadata.credential_issuer])
        return [authorizationCode, preAuthorizedCode]
          .map((grant) => grantOf(offer, grant)?.authorization_server)
          .every((server) => server === undefined || servers.includes(server))
      },
      'The authorization_server of the offer is none of the authorization servers of the issuer.',
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_tx_code', source: file('Entities/Types/Types.swift') },
    what: 'A transaction code is numeric or text, and has a whole length',
    check: condition(
      'offer',
      `grants.${preAuthorizedCode}.tx_code`,
      (offer) => isTxCode(grantOf(offer, preAuthorizedCode)?.tx_code, Number.POSITIVE_INFINITY),
      'tx_code must have the input_mode numeric or text, and a whole length.',
    ),
  },
  {
    ...{ part: 'tokenAnswer', affects: 'issuer', id: 'token' },
    source: file('Entities/Response/AccessTokenRequestResponse.swift'),
    what: 'A token answer has an access token and its lifetime',
    check: condition(
      'tokenAnswer',
      'expires_in',
      ({ access_token, expires_in }) => isString(access_token) && isWhole(expires_in),
      'access_token must be a text, and expires_in a whole number.',
    ),
  },
  {
    ...{ ...ofCredential, id: 'credentials_or_transaction', source: answers },
    what: 'An answer has credentials, or a transaction with an interval',
    check: condition(
      'credentialAnswer',
      'credentials',
      ({ credential, credentials, transaction_id, interval }) =>
        credential !== undefined ||
        isFilledList(credentials) ||
        (isString(transaction_id) && typeof interval === 'number'),
      'The answer must have credentials, or transaction_id with interval.',
    ),
  },
  {
    ...{ ...ofCredential, id: 'notification_id', source: answers },
    what: 'Only an answer with credentials has a notification id',
    check: condition(
      'credentialAnswer',
      'notification_id',
      ({ credential, credentials, notification_id }) =>
        notification_id === undefined || credential !== undefined || isFilledList(credentials),
      'notification_id requires credentials.',
    ),
  },
]
