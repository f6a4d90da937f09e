import { condition, describedConfigurations, elementsOf, members, objectOf, type ReaderCheck } from './check.ts'
import { authorizationCode, grantOf, isTxCode, offeredIds, preAuthorizedCode } from './offers.ts'
import { credo, fileOf } from './sources.ts'
import { ifPresent, isHttpsUrl, isListOf, isPositive, isString, isWhole } from './values.ts'

const file = (path: string) => fileOf(credo, `openid4vci/src/${path}`)
const server = fileOf(credo, 'oauth2/src/metadata/authorization-server/z-authorization-server-metadata.ts')
const offers = file('credential-offer/z-credential-offer.ts')
const answers = file('credential-request/z-credential-response.ts')
const ofServer = { part: 'serverMetadata', affects: 'issuer' } as const
const ofOffer = { part: 'offer', affects: 'issuer' } as const
const ofCredential = { part: 'credentialAnswer', affects: 'issuer' } as const

/** The requirements for the authorization server, for offers and for answers. */
export const checksOfCredoAnswers: readonly ReaderCheck[] = [
  {
    ...{ ...ofServer, id: 'server_urls', source: server },
    what: 'The issuer and the token endpoint of the authorization server are https: URLs',
    check: members('serverMetadata', ['issuer', 'token_endpoint'], isHttpsUrl, 'an https: URL'),
  },
  {
    ...{ ...ofServer, id: 'server_endpoints', source: server },
    what: 'The other endpoints of the authorization server are https: URLs',
    check: members(
      'serverMetadata',
      ['authorization_endpoint', 'jwks_uri', 'pushed_authorization_request_endpoint', 'challenge_endpoint'],
      ifPresent(isHttpsUrl),
      'an https: URL',
    ),
  },
  {
    ...{ ...ofServer, id: 'attestation_algorithms', source: server },
    what: 'Client attestations are signed',
    check: members(
      'serverMetadata',
      ['client_attestation_signing_alg_values_supported', 'client_attestation_pop_signing_alg_values_supported'],
      ifPresent(isListOf((algorithm) => isString(algorithm) && algorithm !== 'none')),
      'a list of algorithms other than none',
    ),
  },
  {
    ...{ ...ofServer, id: 'server_issuer' },
    source: fileOf(credo, 'oauth2/src/metadata/authorization-server/authorization-server-metadata.ts'),
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
    check: members('offer', ['credential_issuer'], isHttpsUrl, 'an https: URL'),
  },
  {
    ...{ ...ofOffer, id: 'offer_configurations' },
    source: file('metadata/credential-issuer/credential-issuer-metadata.ts'),
    what: 'The metadata have all configurations of an offer',
    check: condition(
      'offer',
      'credential_configuration_ids',
      (offer, documents) => {
        const ids = describedConfigurations(documents).map(([id]) => id)
        return Array.isArray(offer.credential_configuration_ids) && offeredIds(offer).every((id) => ids.includes(id))
      },
      'credential_configuration_ids has an id that is not in the metadata.',
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_code', source: offers },
    what: 'The pre-authorized code and the issuer_state of an offer are texts',
    check: condition(
      'offer',
      'grants',
      (offer) => {
        const grant = grantOf(offer, preAuthorizedCode)
        const isCode = grant === undefined || isString(grant['pre-authorized_code'])
        return isCode && ifPresent(isString)(grantOf(offer, authorizationCode)?.issuer_state)
      },
      'pre-authorized_code and issuer_state must be texts.',
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_authorization_server', source: offers },
    what: 'The authorization server of an offer is an https: URL',
    check: condition(
      'offer',
      'grants',
      (offer) =>
        [authorizationCode, preAuthorizedCode]
          .map((grant) => grantOf(offer, grant)?.authorization_server)
          .every(ifPresent(isHttpsUrl)),
      'authorization_server must be an https: URL.',
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
    ...{ part: 'tokenAnswer', affects: 'issuer', id: 'token' },
    source: fileOf(credo, 'oauth2/src/access-token/z-access-token.ts'),
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
    ...{ ...ofCredential, id: 'credentials', source: answers },
    what: 'Each credential is a text or an object',
    check: members(
      'credentialAnswer',
      ['credentials'],
      ifPresent(isListOf((each) => isEncoded(each) || isEncoded(objectOf(each).credential))),
      'a list of credentials, which are texts or objects',
    ),
  },
  {
    ...{ ...ofCredential, id: 'credentials_or_transaction', source: answers },
    what: 'An answer has either credentials or a transaction',
    check: condition(
      'credentialAnswer',
      'transaction_id',
      ({ credential, credentials, transaction_id }) =>
        (credential ?? credentials) === undefined ? transaction_id !== undefined : transaction_id === undefined,
      'The answer must have either credentials or transaction_id.',
    ),
  },
  {
    ...{ ...ofCredential, id: 'interval', source: answers },
    what: 'A transaction has a positive interval',
    check: condition(
      'credentialAnswer',
      'interval',
      ({ transaction_id, interval }) =>
        ifPresent(isPositive)(interval) && (transaction_id === undefined || interval !== undefined),
      'transaction_id requires a positive interval.',
    ),
  },
  {
    ...{ ...ofCredential, id: 'notification_id', source: answers },
    what: 'Only an answer with credentials has a notification id',
    check: condition(
      'credentialAnswer',
      'notification_id',
      ({ credential, credentials, notification_id }) =>
        notification_id === undefined || (credential ?? credentials) !== undefined,
      'notification_id requires credentials.',
    ),
  },
]

function isEncoded(credential: unknown): boolean {
  return isString(credential) || Object.keys(objectOf(credential)).length > 0
}
