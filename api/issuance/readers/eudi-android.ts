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
import { checksOfEudiAndroidAnswers } from './eudi-android-answers.ts'
import { eudiAndroid, fileOf } from './sources.ts'
import {
  ifPresent,
  isClaimPath,
  isEndpoint,
  isFilledList,
  isFilledListOf,
  isFilledText,
  isHttpsUrl,
  isIssuerUrl,
  isListOf,
  isPositive,
  isString,
  isUrl,
  isWhole,
  objectsIn,
} from './values.ts'

const file = (path: string) => fileOf(eudiAndroid, path)
const parser = file('internal/http/CredentialIssuerMetadataJsonParser.kt')
const configurationTypes = file('CredentialConfiguration.kt')
const metadataTypes = file('CredentialIssuerMetadataResolver.kt')

const knownByLibrary = ['mso_mdoc', 'dc+sd-jwt', 'jwt_vc_json', 'jwt_vc_json-ld', 'ldp_vc']
const namedAlgorithms = ['dc+sd-jwt', 'jwt_vc_json', 'jwt_vc_json-ld', 'ldp_vc']
const setAttestations =
  'Set keyAttestationsRequired of the configuration {id}. An empty object accepts any attestation.'
const proofsOf = (types: unknown) => ['jwt', 'attestation'].flatMap((type) => objectOf(types)[type] ?? [])
const ofIssuer = { part: 'issuerMetadata', affects: 'issuer' } as const
const ofConfigurations = (path: string, isFine: (value: unknown) => boolean, must: string, fix?: string) =>
  configurationMembers(knownByLibrary, path, isFine, must, fix)

const ofMetadata: ReaderCheck[] = [
  {
    ...{ ...ofIssuer, id: 'issuer_url', source: file('CredentialOffer.kt') },
    what: 'The issuer identifier is an https: URL without a query and a fragment',
    check: members('issuerMetadata', ['credential_issuer'], isIssuerUrl, 'an https: URL without query and fragment'),
  },
  {
    ...{ ...ofIssuer, id: 'credential_endpoint', source: metadataTypes },
    what: 'The credential endpoint is an https: URL without a fragment',
    check: members('issuerMetadata', ['credential_endpoint'], isEndpoint, 'an https: URL without a fragment'),
  },
  {
    ...{ ...ofIssuer, id: 'optional_endpoints', source: metadataTypes },
    what: 'The other endpoints are https: URLs without a fragment',
    check: members(
      'issuerMetadata',
      ['nonce_endpoint', 'deferred_credential_endpoint', 'notification_endpoint'],
      ifPresent(isEndpoint),
      'an https: URL without a fragment',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'authorization_servers', source: parser },
    what: 'The authorization servers are https: URLs',
    check: members(
      'issuerMetadata',
      ['authorization_servers'],
      ifPresent(isListOf(isHttpsUrl)),
      'a list of https: URLs',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'some_configuration', source: metadataTypes },
    what: 'There is a configuration of a format that the wallet knows',
    check: condition(
      'issuerMetadata',
      'credential_configurations_supported',
      (_, documents) => describedConfigurations(documents).some(([, { format }]) => isKnown(format)),
      'No configuration has a format that the wallet knows.',
      'Create a configuration of the profile mobile or sd-jwt.',
    ),
  },
  {
    ...{ part: 'issuerMetadata', affects: 'configuration', id: 'known_format', source: parser },
    what: 'Configurations of unknown formats are left out',
    check: knownFormats(knownByLibrary, 'configuration'),
  },
  {
    ...{ ...ofIssuer, id: 'doctype', source: parser },
    what: 'An mdoc has its document type',
    check: configurationMembers(['mso_mdoc'], 'doctype', isString, 'a text'),
  },
  {
    ...{ ...ofIssuer, id: 'vct', source: parser },
    what: 'An SD-JWT VC has its type',
    check: configurationMembers(['dc+sd-jwt'], 'vct', isString, 'a text'),
  },
  {
    ...{ ...ofIssuer, id: 'json_ld_definition', source: parser },
    what: 'A JSON-LD credential has contexts, which are URLs, and types',
    check: configurationMembers(
      ['ldp_vc', 'jwt_vc_json-ld'],
      'credential_definition',
      (value) => isListOf(isUrl)(objectOf(value)['@context']) && isListOf(isString)(objectOf(value).type),
      'an object with the URLs of its @context and its type',
      'Use only URLs as contexts of the configuration {id}.',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'mdoc_algorithms', source: parser },
    what: 'The signature algorithms of an mdoc are COSE numbers',
    check: configurationMembers(
      ['mso_mdoc'],
      'credential_signing_alg_values_supported',
      ifPresent(isListOf(isWhole)),
      'a list of COSE numbers',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'named_algorithms', source: parser },
    what: 'The signature algorithms of other formats are names',
    check: configurationMembers(
      namedAlgorithms,
      'credential_signing_alg_values_supported',
      ifPresent(isListOf(isString)),
      'a list of names',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'jwt_key_attestations', source: parser },
    what: 'The proof type jwt requires key attestations',
    check: ofConfigurations(
      'proof_types_supported.jwt',
      (jwt) => jwt === undefined || objectOf(jwt).key_attestations_required !== undefined,
      'an object with key_attestations_required',
      setAttestations,
    ),
  },
  {
    ...{ ...ofIssuer, id: 'attestation_key_attestations', source: parser },
    what: 'The proof type attestation requires key attestations',
    check: ofConfigurations(
      'proof_types_supported.attestation',
      (attestation) => attestation === undefined || objectOf(attestation).key_attestations_required !== undefined,
      'an object with key_attestations_required',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'proof_algorithms', source: configurationTypes },
    what: 'The proof types jwt and attestation have algorithms',
    check: ofConfigurations(
      'proof_types_supported',
      (types) => proofsOf(types).every((each) => isFilledList(objectOf(each).proof_signing_alg_values_supported)),
      'an object whose proof types have algorithms',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'proof_types', source: configurationTypes },
    what: 'One of the proof types is jwt or attestation',
    check: ofConfigurations(
      'proof_types_supported',
      (types) => Object.keys(objectOf(types)).length === 0 || proofsOf(types).length > 0,
      'an object with jwt or attestation',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'binding_and_proofs', source: parser },
    what: 'Binding methods and proof types are both present, or both absent',
    check: configurationMembers(
      knownByLibrary,
      'proof_types_supported',
      (types, { cryptographic_binding_methods_supported: methods }) =>
        isFilledList(methods) === objectsIn(types).length > 0,
      'present exactly if cryptographic_binding_methods_supported is present',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'attestation_levels', source: configurationTypes },
    what: 'A list of required resistances is not empty',
    check: ofConfigurations(
      'proof_types_supported',
      (types) =>
        proofsOf(types)
          .map((each) => objectOf(objectOf(each).key_attestations_required))
          .every(({ key_storage, user_authentication }) =>
            [key_storage, user_authentication].every(ifPresent(isFilledListOf(isFilledText))),
          ),
      'an object whose lists key_storage and user_authentication are not empty',
      'Remove the empty list from keyAttestationsRequired of the configuration {id}.',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'display_names', source: parser },
    what: 'Each display of a configuration has a name',
    check: ofConfigurations(
      'credential_metadata.display',
      (display) => elementsOf(display).every((each) => isString(objectOf(each).name)),
      'a list of objects with a name',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'claim_paths', source: file('ClaimPath.kt') },
    what: 'Claim paths are not empty, and have texts, null and numbers',
    check: ofConfigurations(
      'credential_metadata.claims',
      (claims) => elementsOf(claims).every((each) => isClaimPath(objectOf(each).path)),
      'a list of objects whose path has texts, null or indexes',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'request_encryption_keys', source: metadataTypes },
    what: 'The keys for encrypted requests have kid, alg and use',
    check: members(
      'issuerMetadata',
      ['credential_request_encryption'],
      ifPresent((encryption) => isFilledListOf(isEncryptionKey)(objectOf(objectOf(encryption).jwks).keys)),
      'an object whose jwks have keys with kid, alg, and the use enc',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'response_encryption', source: metadataTypes },
    what: 'Encrypted responses have algorithms',
    check: members(
      'issuerMetadata',
      ['credential_response_encryption'],
      ifPresent((value) => {
        const { alg_values_supported: algorithms, enc_values_supported: methods } = objectOf(value)
        return isFilledListOf(isAsymmetric)(algorithms) && isFilledListOf(isString)(methods)
      }),
      'an object with asymmetric alg_values_supported, and with enc_values_supported',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'encryption_pair', source: metadataTypes },
    what: 'An issuer that encrypts responses also accepts encrypted requests',
    check: condition(
      'issuerMetadata',
      'credential_request_encryption',
      (document) =>
        document.credential_response_encryption === undefined || document.credential_request_encryption !== undefined,
      'credential_response_encryption requires credential_request_encryption.',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'batch_size', source: metadataTypes },
    what: 'The size of a batch is positive',
    check: members(
      'issuerMetadata',
      ['batch_credential_issuance'],
      ifPresent((batch) => isPositive(objectOf(batch).batch_size)),
      'an object with a positive batch_size',
    ),
  },
]

export const eudiAndroidChecks: readonly ReaderCheck[] = [...ofMetadata, ...checksOfEudiAndroidAnswers]

function isKnown(format: unknown): boolean {
  return knownByLibrary.some((each) => each === format)
}

function isEncryptionKey(key: unknown): boolean {
  const { kid, alg, use, d } = objectOf(key)
  return isString(kid) && isAsymmetric(alg) && use === 'enc' && d === undefined
}

function isAsymmetric(algorithm: unknown): boolean {
  return isString(algorithm) && /^(ECDH|RSA)/.test(algorithm)
}
