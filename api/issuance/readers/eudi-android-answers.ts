import {
  condition,
  describedConfigurations,
  elementsOf,
  memberAt,
  members,
  objectOf,
  type ReaderCheck,
} from './check.ts'
import { authorizationCode, grantOf, isTxCode, offeredIds, preAuthorizedCode } from './offers.ts'
import { eudiAndroid, fileOf } from './sources.ts'
import { ifPresent, isFilledList, isFilledText, isIssuerUrl, isListOf, isString, isWhole } from './values.ts'

const file = (path: string) => fileOf(eudiAndroid, path)
const resolver = file('internal/CredentialOfferRequestResolver.kt')
const offers = file('CredentialOffer.kt')
const answers = file('internal/http/IssuanceRequestJsonMapper.kt')
const ofOffer = { part: 'offer', affects: 'issuer' } as const
const ofToken = { part: 'tokenAnswer', affects: 'issuer' } as const
const ofCredential = { part: 'credentialAnswer', affects: 'issuer' } as const

/** The requirements for the authorization server, for offers and for answers. */
export const checksOfEudiAndroidAnswers: readonly ReaderCheck[] = [
  {
    ...{ part: 'serverMetadata', affects: 'issuer', id: 'server_issuer' },
    source: file('internal/DefaultAuthorizationServerMetadataResolver.kt'),
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
    what: 'The issuer of an offer is an https: URL without a query and a fragment',
    check: members('offer', ['credential_issuer'], isIssuerUrl, 'an https: URL without query and fragment'),
  },
  {
    ...{ ...ofOffer, id: 'offer_configurations', source: resolver },
    what: 'An offer has configurations, and the metadata have all of them',
    check: condition(
      'offer',
      'credential_configuration_ids',
      (offer, documents) => {
        const ids = describedConfigurations(documents).map(([id]) => id)
        const offered = offeredIds(offer)
        return offered.length > 0 && offered.every((id) => ids.includes(id))
      },
      'credential_configuration_ids is empty, or has an id that is not in the metadata.',
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_authorization_endpoint', source: resolver },
    what: 'The server of an offer with an authorization code has an authorization endpoint',
    check: condition(
      'offer',
      'grants.authorization_code',
      (offer, { serverMetadata = {} }) =>
        grantOf(offer, authorizationCode) === undefined || isString(serverMetadata.authorization_endpoint),
      'The authorization server of the offer has no authorization_endpoint.',
      'Add authorization_endpoint to the metadata of the authorization server.',
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_authorization_server', source: resolver },
    what: 'The authorization server of an offer is one that the metadata name',
    check: condition(
      'offer',
      'grants',
      (offer, { issuerMetadata = {} }) =>
        [authorizationCode, preAuthorizedCode]
          .map((grant) => grantOf(offer, grant)?.authorization_server)
          .every((server) => server === undefined || elementsOf(issuerMetadata.authorization_servers).includes(server)),
      'The authorization_server of the offer is not in authorization_servers of the metadata.',
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_issuer_state', source: offers },
    what: 'The issuer_state of an offer is not blank',
    check: condition(
      'offer',
      'grants.authorization_code.issuer_state',
      (offer) => ifPresent(isFilledText)(grantOf(offer, authorizationCode)?.issuer_state),
      'issuer_state must be a text that is not blank.',
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_code', source: offers },
    what: 'The pre-authorized code of an offer is not blank',
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
    ...{ ...ofOffer, id: 'offer_tx_code', source: offers },
    what: 'A transaction code is numeric or text, and its description has at most 300 characters',
    check: condition(
      'offer',
      `grants.${preAuthorizedCode}.tx_code`,
      (offer) => isTxCode(grantOf(offer, preAuthorizedCode)?.tx_code, 300),
      'tx_code must have the input_mode numeric or text, a whole length, and a description of at most 300 characters.',
    ),
  },
  {
    ...{ ...ofToken, id: 'access_token', source: file('Types.kt') },
    what: 'An access token is not empty, and its lifetime is not negative',
    check: condition(
      'tokenAnswer',
      'access_token',
      ({ access_token, expires_in }) =>
        isFilledText(access_token) && ifPresent((seconds) => isWhole(seconds) && Number(seconds) >= 0)(expires_in),
      'access_token must be a text that is not empty, and expires_in a whole number from 0.',
    ),
  },
  {
    ...{ ...ofToken, id: 'authorization_details', source: file('internal/Serialization.kt') },
    what: 'Authorization details have the type openid_credential and a configuration',
    check: members(
      'tokenAnswer',
      ['authorization_details'],
      ifPresent(
        isListOf((each) => {
          const { type, credential_configuration_id: id, credential_identifiers: identifiers } = objectOf(each)
          return type === 'openid_credential' && isFilledText(id) && ifPresent(isListOf(isFilledText))(identifiers)
        }),
      ),
      'a list of objects with the type openid_credential and a credential_configuration_id',
    ),
  },
  {
    ...{ ...ofCredential, id: 'credentials', source: answers },
    what: 'Each credential is a text or an object',
    check: members(
      'credentialAnswer',
      ['credentials'],
      ifPresent(
        isListOf((each) => {
          const { credential } = objectOf(each)
          return isString(credential) || Object.keys(objectOf(credential)).length > 0
        }),
      ),
      'a list of objects with a credential, which is a text or an object',
    ),
  },
  {
    ...{ ...ofCredential, id: 'credentials_or_transaction', source: answers },
    what: 'An answer has either credentials or a transaction',
    check: condition(
      'credentialAnswer',
      'transaction_id',
      ({ credentials, transaction_id, interval }) =>
        isFilledList(credentials) !== (transaction_id !== undefined || interval !== undefined),
      'The answer must have either credentials, or transaction_id with interval.',
    ),
  },
  {
    ...{ ...ofCredential, id: 'interval', source: answers },
    what: 'A transaction has an interval, and an interval a transaction',
    check: condition(
      'credentialAnswer',
      'interval',
      ({ transaction_id, interval }) => (transaction_id === undefined) === (interval === undefined),
      'transaction_id and interval must both be present, or both be absent.',
    ),
  },
  {
    ...{ ...ofCredential, id: 'notification_id', source: answers },
    what: 'Only an answer with credentials has a notification id',
    check: condition(
      'credentialAnswer',
      'notification_id',
      (answer) => answer.notification_id === undefined || isFilledList(memberAt(answer, 'credentials')),
      'notification_id requires credentials.',
    ),
  },
]
