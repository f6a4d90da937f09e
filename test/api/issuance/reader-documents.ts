import type { Documents } from '../../../api/issuance/readers/check.ts'
import type { WalletFamily } from '../../../shared/domain/issuance/wallet-families.ts'

const issuer = 'https://issuer.example'
export const preAuthorized = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

const proofs = {
  jwt: {
    proof_signing_alg_values_supported: ['ES256'],
    key_attestations_required: { key_storage: ['iso_18045_high'] },
  },
}

const common = {
  scope: 'card',
  proof_types_supported: proofs,
}

const card = {
  ...common,
  format: 'dc+sd-jwt',
  vct: 'urn:example:card',
  credential_signing_alg_values_supported: ['ES256'],
  cryptographic_binding_methods_supported: ['jwk'],
  credential_metadata: {
    display: [{ name: 'Card', logo: { uri: 'https://issuer.example/card.png' } }],
    claims: [{ path: ['given_name'], display: [{ name: 'Given name', locale: 'en' }] }],
  },
}

const licence = {
  ...common,
  format: 'mso_mdoc',
  doctype: 'org.iso.18013.5.1.mDL',
  scope: 'licence',
  credential_signing_alg_values_supported: [-7],
  cryptographic_binding_methods_supported: ['cose_key'],
  credential_metadata: {
    display: [{ name: 'Licence' }],
    claims: [{ path: ['org.iso.18013.5.1', 'given_name'] }],
  },
}

const encryption = {
  credential_request_encryption: {
    jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y', kid: 'key', alg: 'ECDH-ES', use: 'enc' }] },
    enc_values_supported: ['A128GCM'],
    encryption_required: false,
  },
  credential_response_encryption: {
    alg_values_supported: ['ECDH-ES'],
    enc_values_supported: ['A128GCM'],
    encryption_required: false,
  },
}

/** Documents that each wallet family reads. */
export const readable: Documents = {
  issuerMetadata: {
    credential_issuer: issuer,
    credential_endpoint: `${issuer}/credential`,
    nonce_endpoint: `${issuer}/nonce`,
    notification_endpoint: `${issuer}/notification`,
    batch_credential_issuance: { batch_size: 20 },
    display: [{ name: 'Issuer' }, { name: 'Aussteller', locale: 'de' }],
    ...encryption,
    credential_configurations_supported: { card, licence },
  },
  serverMetadata: {
    issuer,
    token_endpoint: `${issuer}/token`,
    authorization_endpoint: `${issuer}/authorize`,
    pushed_authorization_request_endpoint: `${issuer}/par`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    grant_types_supported: ['authorization_code', preAuthorized],
    token_endpoint_auth_methods_supported: ['attest_jwt_client_auth'],
    client_attestation_signing_alg_values_supported: ['ES256'],
    client_attestation_pop_signing_alg_values_supported: ['ES256'],
    dpop_signing_alg_values_supported: ['ES256'],
  },
  offer: {
    credential_issuer: issuer,
    credential_configuration_ids: ['card'],
    grants: { [preAuthorized]: { 'pre-authorized_code': 'code', tx_code: { input_mode: 'numeric', length: 6 } } },
  },
  tokenAnswer: { access_token: 'token', token_type: 'DPoP', expires_in: 300 },
  credentialAnswer: { credentials: [{ credential: 'credential' }], notification_id: 'notification' },
}

/** A member and its value, as the only difference from the readable documents. Undefined removes the member. */
export type Change = [path: string, value?: unknown]

/** Returns the readable documents with changes. `card` and `licence` at the start of a path are the configurations. */
export function withChanges(...changes: Change[]): Documents {
  const documents: Documents = JSON.parse(JSON.stringify(readable))
  for (const [path, value] of changes) {
    const [, configuration, member] = /^(card|licence)\.(.+)$/.exec(path) ?? []
    const whole = configuration ? `issuerMetadata.credential_configurations_supported.${configuration}.${member}` : path
    const names = whole.split('.')
    const last = names.pop() ?? ''
    let target = documents as Record<string, never>
    for (const name of names) target = target[name] as unknown as Record<string, never>
    if (value === undefined) delete target[last]
    else target[last] = value as never
  }
  return documents
}

const grant = `offer.grants.${preAuthorized}`
const authorized = (grantOfOffer: object = {}) => ({ authorization_code: { issuer_state: 'state', ...grantOfOffer } })
const noName = [{ locale: 'en' }]
const jsonLd: Change[] = [
  ['card.format', 'ldp_vc'],
  ['card.credential_signing_alg_values_supported', ['Ed25519Signature2018']],
  ['card.credential_definition', { type: ['Card'], '@context': ['https://www.w3.org/2018/credentials/v1'] }],
]
const contextOf = (context: unknown): Change => [
  'card.credential_definition',
  { type: ['Card'], '@context': [context] },
]
const bothGrants = { ...authorized(), [preAuthorized]: { 'pre-authorized_code': 'code' } }

/** For each check of a family, changes that it notices. */
export const unreadable: Record<WalletFamily, Record<string, Change[]>> = {
  'eudi-android': {
    issuer_url: [['issuerMetadata.credential_issuer', 'https://issuer.example?tenant=1']],
    credential_endpoint: [['issuerMetadata.credential_endpoint', 'http://issuer.example/credential']],
    optional_endpoints: [['issuerMetadata.nonce_endpoint', 'https://issuer.example/nonce#1']],
    authorization_servers: [['issuerMetadata.authorization_servers', ['http://login.example']]],
    some_configuration: [['issuerMetadata.credential_configurations_supported', { card: { format: 'cwt' } }]],
    known_format: [['card.format', 'cwt']],
    doctype: [['licence.doctype']],
    vct: [['card.vct']],
    json_ld_definition: [...jsonLd, contextOf({ Card: 'https://issuer.example/card' })],
    mdoc_algorithms: [['licence.credential_signing_alg_values_supported', ['ES256']]],
    named_algorithms: [['card.credential_signing_alg_values_supported', [-7]]],
    jwt_key_attestations: [['card.proof_types_supported.jwt.key_attestations_required']],
    attestation_key_attestations: [
      ['card.proof_types_supported', { attestation: { proof_signing_alg_values_supported: ['ES256'] } }],
    ],
    proof_algorithms: [['card.proof_types_supported.jwt.proof_signing_alg_values_supported', []]],
    proof_types: [['card.proof_types_supported', { di_vp: { proof_signing_alg_values_supported: ['ES256'] } }]],
    binding_and_proofs: [['card.proof_types_supported']],
    attestation_levels: [['card.proof_types_supported.jwt.key_attestations_required', { user_authentication: [] }]],
    display_names: [['card.credential_metadata.display', noName]],
    claim_paths: [['card.credential_metadata.claims', [{ path: [] }]]],
    request_encryption_keys: [['issuerMetadata.credential_request_encryption.jwks.keys', [{ kty: 'EC', kid: 'key' }]]],
    response_encryption: [['issuerMetadata.credential_response_encryption.alg_values_supported', ['A128KW']]],
    encryption_pair: [['issuerMetadata.credential_request_encryption']],
    batch_size: [['issuerMetadata.batch_credential_issuance', { batch_size: 0 }]],
    server_issuer: [['serverMetadata.issuer', 'https://login.example']],
    offer_issuer_url: [['offer.credential_issuer', 'http://issuer.example']],
    offer_configurations: [['offer.credential_configuration_ids', ['diploma']]],
    offer_authorization_endpoint: [['serverMetadata.authorization_endpoint'], ['offer.grants', authorized()]],
    offer_authorization_server: [['offer.grants', authorized({ authorization_server: 'https://login.example' })]],
    offer_issuer_state: [['offer.grants', authorized({ issuer_state: ' ' })]],
    offer_code: [[`${grant}.pre-authorized_code`, ' ']],
    offer_tx_code: [[`${grant}.tx_code.description`, 'x'.repeat(301)]],
    access_token: [['tokenAnswer.access_token', '']],
    authorization_details: [['tokenAnswer.authorization_details', [{ type: 'other' }]]],
    credentials: [['credentialAnswer.credentials', [{ credential: 1 }]]],
    credentials_or_transaction: [
      ['credentialAnswer.transaction_id', 'transaction'],
      ['credentialAnswer.interval', 5],
    ],
    interval: [['credentialAnswer', { transaction_id: 'transaction' }]],
    notification_id: [['credentialAnswer', { transaction_id: 'transaction', interval: 5, notification_id: 'id' }]],
  },
  'eudi-ios': {
    known_format: [['card.format', 'cwt']],
    requestable_format: jsonLd,
    issuer_url: [['issuerMetadata.credential_issuer', 'http://issuer.example']],
    credential_endpoint: [['issuerMetadata.credential_endpoint']],
    optional_endpoints: [['issuerMetadata.nonce_endpoint', 'nonce']],
    binding_methods: [['card.cryptographic_binding_methods_supported', ['spki']]],
    claim_paths: [['card.credential_metadata.claims', [{ path: [true] }]]],
    required_encryption: [
      ['issuerMetadata.credential_request_encryption'],
      ['issuerMetadata.credential_response_encryption.encryption_required', true],
    ],
    issuer_display: [['issuerMetadata.display', [{ name: 1 }]]],
    offer_issuer_url: [['offer.credential_issuer', 'https://issuer.example#1']],
    offer_configurations: [['offer.credential_configuration_ids', []]],
    offer_grants: [['offer.grants', {}]],
    offer_issuer_state: [['offer.grants', authorized({ issuer_state: '' })]],
    offer_authorization_server: [[`${grant}.authorization_server`, 'https://login.example']],
    offer_tx_code: [[`${grant}.tx_code.input_mode`, 'letters']],
    token: [['tokenAnswer.expires_in']],
    credentials_or_transaction: [['credentialAnswer', { transaction_id: 'transaction' }]],
    notification_id: [['credentialAnswer', { transaction_id: 'transaction', interval: 5, notification_id: 'id' }]],
  },
  credo: {
    https_urls: [['issuerMetadata.credential_endpoint', 'http://issuer.example/credential']],
    optional_endpoints: [['issuerMetadata.notification_endpoint', '/notification']],
    authorization_servers: [['issuerMetadata.authorization_servers', ['login.example']]],
    format: [['card.format']],
    binding_methods: [['card.cryptographic_binding_methods_supported', 'jwk']],
    proof_algorithms: [['card.proof_types_supported.jwt.proof_signing_alg_values_supported']],
    configuration_display: [['card.credential_metadata.display', noName]],
    issuer_display: [['issuerMetadata.display', [{ name: 'Issuer', logo: { uri: 'http://issuer.example/logo.png' } }]]],
    batch_size: [['issuerMetadata.batch_credential_issuance', { batch_size: 0 }]],
    response_encryption: [['issuerMetadata.credential_response_encryption.encryption_required']],
    known_format: [['card.format', 'cwt']],
    vct: [['card.vct']],
    doctype: [['licence.doctype']],
    json_ld_definition: [...jsonLd, contextOf({ Card: 'https://issuer.example/card' })],
    mdoc_algorithms: [['licence.credential_signing_alg_values_supported', ['ES256']]],
    named_algorithms: [['card.credential_signing_alg_values_supported', [-7]]],
    claim_paths: [['card.credential_metadata.claims', [{ path: [] }]]],
    mdoc_claim_paths: [['licence.credential_metadata.claims', [{ path: ['given_name'] }]]],
    server_urls: [['serverMetadata.token_endpoint']],
    server_endpoints: [['serverMetadata.authorization_endpoint', 'http://issuer.example/authorize']],
    attestation_algorithms: [['serverMetadata.client_attestation_signing_alg_values_supported', ['none']]],
    server_issuer: [['serverMetadata.issuer', 'https://login.example']],
    offer_issuer_url: [['offer.credential_issuer', 'http://issuer.example']],
    offer_configurations: [['offer.credential_configuration_ids', ['diploma']]],
    offer_code: [[`${grant}.pre-authorized_code`]],
    offer_authorization_server: [[`${grant}.authorization_server`, 'login']],
    offer_tx_code: [[`${grant}.tx_code.length`, 1.5]],
    token: [['tokenAnswer.token_type']],
    credentials: [['credentialAnswer.credentials', [1]]],
    credentials_or_transaction: [
      ['credentialAnswer.transaction_id', 'transaction'],
      ['credentialAnswer.interval', 5],
    ],
    interval: [['credentialAnswer', { transaction_id: 'transaction', interval: 0 }]],
    notification_id: [['credentialAnswer', { transaction_id: 'transaction', interval: 5, notification_id: 'id' }]],
  },
  multipaz: {
    credential_endpoint: [['issuerMetadata.credential_endpoint']],
    batch_size: [['issuerMetadata.batch_credential_issuance', { batch_size: '20' }]],
    known_format: [['card.format', 'ldp_vc']],
    vct: [['card.vct']],
    doctype: [['licence.doctype']],
    proof_types: [['card.proof_types_supported', { di_vp: { proof_signing_alg_values_supported: ['ES256'] } }]],
    proof_algorithms: [['card.proof_types_supported.jwt.proof_signing_alg_values_supported', ['EdDSA']]],
    display_names: [['card.credential_metadata.display', noName]],
    issuer_display: [['issuerMetadata.display', noName]],
    nonce_endpoint: [['issuerMetadata.nonce_endpoint']],
    server_endpoints: [['serverMetadata.pushed_authorization_request_endpoint']],
    response_types: [['serverMetadata.response_types_supported', ['token']]],
    code_challenge_methods: [['serverMetadata.code_challenge_methods_supported']],
    server_algorithms: [['serverMetadata.dpop_signing_alg_values_supported', ['EdDSA']]],
    offer_configuration: [['card.format', 'cwt']],
    offer_grants: [['offer.grants', {}]],
    offer_tx_code_length: [[`${grant}.tx_code.length`]],
    token: [['tokenAnswer.expires_in']],
    credentials: [['credentialAnswer', { transaction_id: 'transaction', interval: 5 }]],
  },
  'walt-id': {
    known_format: [['card.format', 'cwt']],
    issuer_url: [['issuerMetadata.credential_issuer', 'https://issuer.example#1']],
    credential_endpoint: [['issuerMetadata.credential_endpoint', '']],
    optional_endpoints: [['issuerMetadata.nonce_endpoint', 'nonce']],
    authorization_servers: [['issuerMetadata.authorization_servers', []]],
    issuer_display: [
      [
        'issuerMetadata.display',
        [
          { name: 'A', locale: 'en' },
          { name: 'B', locale: 'en' },
        ],
      ],
    ],
    scope: [['card.scope', ' ']],
    binding_methods: [['card.cryptographic_binding_methods_supported', ['x5c']]],
    binding_and_proofs: [['card.proof_types_supported']],
    json_ld_algorithms: jsonLd,
    mdoc_algorithms: [['licence.credential_signing_alg_values_supported', ['ES256']]],
    jose_algorithms: [['card.credential_signing_alg_values_supported', []]],
    proof_algorithms: [['card.proof_types_supported.jwt.proof_signing_alg_values_supported', []]],
    attestation_levels: [['card.proof_types_supported.jwt.key_attestations_required', { key_storage: [] }]],
    configuration_display: [['card.credential_metadata.display', [{ name: 'Card', logo: { uri: 'logo.png' } }]]],
    claims: [['card.credential_metadata.claims', []]],
    claim_paths: [['card.credential_metadata.claims', [{ path: ['degrees', null, 'type'] }]]],
    claim_display: [['card.credential_metadata.claims', [{ path: ['a'], display: [{ name: '' }] }]]],
    batch_size: [['issuerMetadata.batch_credential_issuance', { batch_size: 1 }]],
    request_encryption: [['issuerMetadata.credential_request_encryption.enc_values_supported', []]],
    response_encryption: [['issuerMetadata.credential_response_encryption.encryption_required']],
    server_issuer: [['serverMetadata.issuer', 'https://issuer.example?x']],
    response_types: [['serverMetadata.response_types_supported']],
    empty_lists: [['serverMetadata.scopes_supported', []]],
    server_endpoints: [['serverMetadata.authorization_endpoint']],
    attestation_algorithms: [['serverMetadata.client_attestation_pop_signing_alg_values_supported']],
    offer_issuer_url: [['offer.credential_issuer', 'issuer']],
    offer_configurations: [['offer.credential_configuration_ids', ['card', 'card']]],
    offer_in_metadata: [['offer.credential_configuration_ids', ['diploma']]],
    offer_single_grant: [['offer.grants', bothGrants]],
    offer_code: [[`${grant}.pre-authorized_code`]],
    token: [['tokenAnswer.token_type']],
    credentials: [['credentialAnswer.credentials', [{}]]],
  },
  inji: {
    issuer: [['issuerMetadata.credential_endpoint']],
    configurations: [['issuerMetadata.credential_configurations_supported', []]],
    known_format: [['card.format', 'cwt']],
    doctype: [['licence.doctype']],
    server_issuer: [['serverMetadata.issuer', 'https://login.example']],
    offer_issuer_url: [['offer.credential_issuer', 'http://issuer.example']],
    offer_configurations: [['offer.credential_configuration_ids', [' ']]],
    offer_single: [['offer.credential_configuration_ids', ['card', 'licence']]],
    offer_in_metadata: [['offer.credential_configuration_ids', ['diploma']]],
    offer_grants: [['offer.grants', {}]],
    offer_code: [[`${grant}.pre-authorized_code`, '']],
    offer_tx_code_length: [[`${grant}.tx_code.length`, 0]],
    offer_grant_types: [
      ['serverMetadata.grant_types_supported', [preAuthorized]],
      ['offer.grants', authorized()],
    ],
    offer_token_endpoint: [['serverMetadata.token_endpoint']],
    credentials: [['credentialAnswer.credentials', [{ credential: null }]]],
  },
}
