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
import { fileOf, multipaz } from './sources.ts'
import { ifPresent, isListOf, isString, isWhole, objectsIn } from './values.ts'

const file = (path: string) => fileOf(multipaz, path)
const issuer = file('IssuerConfiguration.kt')
const server = file('AuthorizationConfiguration.kt')
const offers = file('CredentialOffer.kt')
const client = file('OpenID4VCIProvisioningClient.kt')
const parsing = fileOf(multipaz, 'JsonParsing.kt', '301ea8dab069ce601b5801f5198a9c9b66ce3bab')
const formats = ['dc+sd-jwt', 'mso_mdoc']
const ofIssuer = { part: 'issuerMetadata', affects: 'issuer' } as const
const ofServer = { part: 'serverMetadata', affects: 'issuer' } as const
const ofOffer = { part: 'offer', affects: 'issuer' } as const
/** The wallet app of Multipaz signs with this algorithm. */
const signsWith = 'ES256'
const hasAlgorithm = (algorithms: unknown) => algorithms === undefined || elementsOf(algorithms).includes(signsWith)

const isKeyBound = (configuration: unknown) => objectOf(configuration).proof_types_supported !== undefined

/** The requirements of the library of Multipaz. */
export const multipazChecks: readonly ReaderCheck[] = [
  {
    ...{ ...ofIssuer, id: 'credential_endpoint', source: issuer },
    what: 'The credential endpoint is a text',
    check: members('issuerMetadata', ['credential_endpoint'], isString, 'a text'),
  },
  {
    ...{ ...ofIssuer, id: 'batch_size', source: issuer },
    what: 'The size of a batch is a whole number',
    check: members(
      'issuerMetadata',
      ['batch_credential_issuance'],
      ifPresent((batch) => isWhole(objectOf(batch).batch_size)),
      'an object with a whole batch_size',
    ),
  },
  {
    ...{ part: 'issuerMetadata', affects: 'configuration', id: 'known_format', source: issuer },
    what: 'Configurations of formats other than SD-JWT VC and mdoc are left out',
    check: knownFormats(formats, 'configuration'),
  },
  {
    ...{ ...ofIssuer, id: 'vct', source: issuer },
    what: 'An SD-JWT VC has its type',
    check: configurationMembers(['dc+sd-jwt'], 'vct', isString, 'a text'),
  },
  {
    ...{ ...ofIssuer, id: 'doctype', source: issuer },
    what: 'An mdoc has its document type',
    check: configurationMembers(['mso_mdoc'], 'doctype', isString, 'a text'),
  },
  {
    ...{ part: 'issuerMetadata', affects: 'configuration', id: 'proof_types', source: issuer },
    what: 'Configurations without the proof types attestation and jwt are left out',
    check: configurationMembers(
      formats,
      'proof_types_supported',
      ifPresent((types) => ['attestation', 'jwt'].some((type) => objectOf(types)[type] !== undefined)),
      'an object with attestation or jwt',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'proof_algorithms', source: parsing },
    what: 'Proofs can be signed with an algorithm of the wallet',
    check: configurationMembers(
      formats,
      'proof_types_supported',
      (types) => {
        const { attestation, jwt } = objectOf(types)
        return hasAlgorithm(objectOf(attestation ?? jwt).proof_signing_alg_values_supported)
      },
      `an object whose proofs can be signed with ${signsWith}`,
    ),
  },
  {
    ...{ ...ofIssuer, id: 'display_names', source: parsing },
    what: 'Each display of a configuration has a name',
    check: configurationMembers(
      formats,
      'credential_metadata.display',
      ifPresent(isListOf((each) => isString(objectOf(each).name))),
      'a list of objects with a name',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'issuer_display', source: parsing },
    what: 'Each display of the issuer has a name',
    check: members(
      'issuerMetadata',
      ['display'],
      ifPresent(isListOf((each) => isString(objectOf(each).name))),
      'a list of objects with a name',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'nonce_endpoint', source: client },
    what: 'An issuer of credentials with a key has a nonce endpoint',
    check: condition(
      'issuerMetadata',
      'nonce_endpoint',
      ({ nonce_endpoint, credential_configurations_supported: configurations }) =>
        isString(nonce_endpoint) || !objectsIn(configurations).some(isKeyBound),
      'Credentials are bound to a key, but the metadata have no nonce_endpoint.',
      'Set the profile of the tenant or of the view to standard or haip.',
    ),
  },
  {
    ...{ ...ofServer, id: 'server_endpoints', source: server },
    what: 'The authorization server has endpoints for authorization, pushed requests and tokens',
    check: members(
      'serverMetadata',
      ['authorization_endpoint', 'pushed_authorization_request_endpoint', 'token_endpoint'],
      isString,
      'a text',
    ),
  },
  {
    ...{ ...ofServer, id: 'response_types', source: server },
    what: 'The authorization server supports the response type code',
    check: members(
      'serverMetadata',
      ['response_types_supported'],
      ifPresent((types) => elementsOf(types).includes('code')),
      'a list with code',
    ),
  },
  {
    ...{ ...ofServer, id: 'code_challenge_methods', source: server },
    what: 'The authorization server supports the code challenge method S256',
    check: members(
      'serverMetadata',
      ['code_challenge_methods_supported'],
      (methods) => elementsOf(methods).includes('S256'),
      'a list with S256',
    ),
  },
  {
    ...{ ...ofServer, id: 'server_algorithms', source: parsing },
    what: 'DPoP proofs and client attestations can be signed with an algorithm of the wallet',
    check: members(
      'serverMetadata',
      ['dpop_signing_alg_values_supported', 'client_attestation_pop_signing_alg_values_supported'],
      hasAlgorithm,
      `a list with ${signsWith}`,
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_configuration', source: client },
    what: 'The first configuration of an offer is an SD-JWT VC or an mdoc of the metadata',
    check: condition(
      'offer',
      'credential_configuration_ids',
      (offer, documents) =>
        describedConfigurations(documents).some(
          ([id, { format }]) => id === offeredIds(offer)[0] && formats.some((each) => each === format),
        ),
      'The first id is of no configuration that the wallet knows.',
      'Offer an SD-JWT VC or an mdoc first. The wallet reads only the first id.',
    ),
  },
  {
    ...{ ...ofOffer, id: 'offer_grants', source: offers },
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
    ...{ ...ofOffer, id: 'offer_tx_code_length', source: parsing },
    what: 'A transaction code has a length',
    check: condition(
      'offer',
      `grants.${preAuthorizedCode}.tx_code.length`,
      (offer) => {
        const code = grantOf(offer, preAuthorizedCode)?.tx_code
        return code === undefined || isWhole(objectOf(code).length)
      },
      'length must be a whole number.',
    ),
  },
  {
    ...{ part: 'tokenAnswer', affects: 'issuer', id: 'token', source: client },
    what: 'A token answer has an access token and its lifetime',
    check: condition(
      'tokenAnswer',
      'expires_in',
      ({ access_token, expires_in }) => isString(access_token) && isWhole(expires_in),
      'access_token must be a text, and expires_in a whole number.',
    ),
  },
  {
    ...{ part: 'credentialAnswer', affects: 'issuer', id: 'credentials', source: client },
    what: 'An answer has credentials, and each is a text',
    check: members(
      'credentialAnswer',
      ['credentials'],
      isListOf((each) => isString(objectOf(each).credential)),
      'a list of objects with a credential, which is a text',
      'Set deferredIssuance of the tenant to never. The wallet does not know deferred credentials.',
    ),
  },
]
