import {
  atOtherView,
  condition,
  configurationMembers,
  elementsOf,
  type JsonMembers,
  knownFormats,
  members,
  objectOf,
  type ReaderCheck,
} from './check.ts'
import { fileOf, waltId } from './sources.ts'
import {
  areDistinct,
  ifPresent,
  isDisplayOf,
  isFilledList,
  isFilledListOf,
  isFilledText,
  isListOf,
  isPlainIssuerUrl,
  isPositive,
  isString,
  isUrl,
  isWhole,
  objectsIn,
} from './values.ts'
import { checksOfWaltIdAnswers } from './walt-id-answers.ts'

const folder = 'waltid-openid4vci/src/commonMain/kotlin/id/walt/openid4vci'
const file = (path: string) => fileOf(waltId, `${folder}/${path}`)
const issuer = file('metadata/issuer/CredentialIssuerMetadata.kt')
const configuration = file('metadata/issuer/CredentialConfiguration.kt')
const formats = ['jwt_vc_json', 'jwt_vc_json-ld', 'ldp_vc', 'jwt_vc', 'dc+sd-jwt', 'mso_mdoc']
const joseFormats = ['jwt_vc_json', 'jwt_vc_json-ld', 'jwt_vc', 'dc+sd-jwt']
const ofIssuer = { part: 'issuerMetadata', affects: 'issuer' } as const
const algorithmsName = 'credential_signing_alg_values_supported'
const ofConfigurations = (
  path: string,
  isFine: (value: unknown, configuration: JsonMembers) => boolean,
  must: string,
  fix?: string,
) => configurationMembers(formats, path, isFine, must, fix)

const hasDistinctLocales = (entries: unknown) =>
  areDistinct(elementsOf(entries).flatMap((each) => objectOf(each).locale ?? []))

const ofMetadata: ReaderCheck[] = [
  {
    ...{ ...ofIssuer, id: 'known_format', source: file('CredentialFormat.kt') },
    what: 'The wallet knows the format of each configuration',
    check: knownFormats(formats, 'issuer'),
  },
  {
    ...{ ...ofIssuer, id: 'issuer_url', source: issuer },
    what: 'The issuer identifier is a URL without a query and a fragment',
    check: members('issuerMetadata', ['credential_issuer'], isPlainIssuerUrl, 'a URL without query and fragment'),
  },
  {
    ...{ ...ofIssuer, id: 'credential_endpoint', source: issuer },
    what: 'The credential endpoint is a URL',
    check: members('issuerMetadata', ['credential_endpoint'], isUrl, 'a URL'),
  },
  {
    ...{ ...ofIssuer, id: 'optional_endpoints', source: issuer },
    what: 'The other endpoints are URLs',
    check: members(
      'issuerMetadata',
      ['nonce_endpoint', 'deferred_credential_endpoint', 'notification_endpoint'],
      ifPresent(isUrl),
      'a URL',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'authorization_servers', source: issuer },
    what: 'A list of authorization servers is not empty',
    check: members(
      'issuerMetadata',
      ['authorization_servers'],
      ifPresent(isFilledListOf(isPlainIssuerUrl)),
      'a list of URLs that is not empty',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'issuer_display', source: issuer },
    what: 'The display of the issuer has one entry for each language',
    check: members(
      'issuerMetadata',
      ['display'],
      ifPresent((entries) => isFilledList(entries) && hasDistinctLocales(entries)),
      'a list that is not empty, with one entry for each locale',
      'Set one name for each language in branding.names of the tenant.',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'scope', source: configuration },
    what: 'The scope of a configuration is not blank',
    check: ofConfigurations('scope', ifPresent(isFilledText), 'a text that is not blank'),
  },
  {
    ...{ ...ofIssuer, id: 'binding_methods', source: file('CryptographicBindingMethod.kt') },
    what: 'The binding methods are jwk, cose_key or DID methods',
    check: ofConfigurations(
      'cryptographic_binding_methods_supported',
      ifPresent(isFilledListOf((each) => isString(each) && /^(jwk|cose_key|did:[^:\s]+)$/.test(each))),
      'a list of jwk, cose_key and DID methods that is not empty',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'binding_and_proofs', source: configuration },
    what: 'Binding methods and proof types are both present, or both absent',
    check: ofConfigurations(
      'proof_types_supported',
      (types, { cryptographic_binding_methods_supported: methods }) =>
        (types === undefined) === (methods === undefined) && (types === undefined || objectsIn(types).length > 0),
      'present exactly if cryptographic_binding_methods_supported is present, and not empty',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'json_ld_algorithms', source: configuration },
    what: 'A credential of the format ldp_vc has no signature algorithms, because the wallet reads each text as a JOSE name',
    check: configurationMembers(
      ['ldp_vc'],
      algorithmsName,
      (algorithms) => algorithms === undefined,
      'absent',
      atOtherView,
    ),
  },
  {
    ...{ ...ofIssuer, id: 'mdoc_algorithms', source: configuration },
    what: 'The signature algorithms of an mdoc are COSE numbers',
    check: configurationMembers(
      ['mso_mdoc'],
      algorithmsName,
      ifPresent(isFilledListOf(isWhole)),
      'a list of COSE numbers that is not empty',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'jose_algorithms', source: configuration },
    what: 'The signature algorithms of other formats are JOSE names',
    check: configurationMembers(
      joseFormats,
      algorithmsName,
      ifPresent(isFilledListOf(isFilledText)),
      'a list of JOSE names that is not empty',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'proof_algorithms', source: configuration },
    what: 'Each proof type has algorithms',
    check: ofConfigurations(
      'proof_types_supported',
      (types) =>
        objectsIn(types).every((each) => isFilledListOf(isFilledText)(each.proof_signing_alg_values_supported)),
      'an object whose members have proof_signing_alg_values_supported',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'attestation_levels', source: configuration },
    what: 'A list of required resistances is not empty',
    check: ofConfigurations(
      'proof_types_supported',
      (types) =>
        objectsIn(types)
          .map(({ key_attestations_required: required }) => objectOf(required))
          .every(({ key_storage, user_authentication }) =>
            [key_storage, user_authentication].every(ifPresent(isFilledListOf(isFilledText))),
          ),
      'an object whose lists key_storage and user_authentication are not empty',
      'Remove the empty list from keyAttestationsRequired of the configuration {id}.',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'configuration_display', source: configuration },
    what: 'The display of a configuration has one entry for each language, with a name and the URLs of its pictures',
    check: ofConfigurations(
      'credential_metadata.display',
      ifPresent(
        (entries) =>
          isFilledListOf(isDisplayOf(isFilledText, (uri) => isString(uri) && uri.includes(':')))(entries) &&
          hasDistinctLocales(entries),
      ),
      'a list with one entry for each locale, each with a name and the URLs of its pictures',
      'Set one display for each language of the configuration {id}.',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'claims', source: configuration },
    what: 'A list of claims is not empty',
    check: ofConfigurations('credential_metadata.claims', ifPresent(isFilledList), 'a list that is not empty'),
  },
  {
    ...{ ...ofIssuer, id: 'claim_paths', source: configuration },
    what: 'Claim paths have texts only: no null and no indexes',
    check: ofConfigurations(
      'credential_metadata.claims',
      (claims) => elementsOf(claims).every((each) => isFilledListOf(isFilledText)(objectOf(each).path)),
      'a list of objects whose path has texts only',
      'Remove the mappings of elements of arrays from the configuration {id}, or make the offers for this wallet at a view without it (POST /v1/views).',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'claim_display', source: configuration },
    what: 'The display of a claim has one entry for each language, and no blank name',
    check: ofConfigurations(
      'credential_metadata.claims',
      (claims) =>
        elementsOf(claims)
          .map((each) => objectOf(each).display)
          .every(
            ifPresent(
              (entries) =>
                isFilledListOf((each) => ifPresent(isFilledText)(objectOf(each).name))(entries) &&
                hasDistinctLocales(entries),
            ),
          ),
      'a list of claims whose display has one entry for each locale',
      'Set one display for each language of the claims of the configuration {id}.',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'batch_size', source: file('metadata/issuer/BatchCredentialIssuance.kt') },
    what: 'The size of a batch is at least 2',
    check: members(
      'issuerMetadata',
      ['batch_credential_issuance'],
      ifPresent((batch) => isPositive(objectOf(batch).batch_size) && Number(objectOf(batch).batch_size) >= 2),
      'an object with a batch_size of at least 2',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'request_encryption', source: file('metadata/issuer/CredentialRequestEncryption.kt') },
    what: 'Encrypted requests have methods, and each key has a kid',
    check: members(
      'issuerMetadata',
      ['credential_request_encryption'],
      ifPresent((value) => {
        const { jwks, enc_values_supported: methods, zip_values_supported: zips } = objectOf(value)
        const hasKids = isListOf((key) => isFilledText(objectOf(key).kid))(objectOf(jwks).keys)
        return hasKids && isFilledListOf(isFilledText)(methods) && ifPresent(isFilledListOf(isFilledText))(zips)
      }),
      'an object with enc_values_supported, whose keys have a kid',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'response_encryption', source: file('metadata/issuer/CredentialResponseEncryption.kt') },
    what: 'Encrypted responses have algorithms and methods, and whether they are required',
    check: condition(
      'issuerMetadata',
      'credential_response_encryption',
      ({ credential_response_encryption: value }) => {
        const { alg_values_supported: algorithms, enc_values_supported: methods, encryption_required } = objectOf(value)
        const isFine = [algorithms, methods].every(isFilledListOf(isFilledText))
        return value === undefined || (isFine && typeof encryption_required === 'boolean')
      },
      'credential_response_encryption lacks algorithms, methods or encryption_required.',
    ),
  },
]

/** The requirements of the library of walt.id. */
export const waltIdChecks: readonly ReaderCheck[] = [...ofMetadata, ...checksOfWaltIdAnswers]
