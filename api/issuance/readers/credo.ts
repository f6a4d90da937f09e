import { configurationMembers, elementsOf, knownFormats, members, objectOf, type ReaderCheck } from './check.ts'
import { checksOfCredoAnswers } from './credo-answers.ts'
import { credo, fileOf } from './sources.ts'
import {
  ifPresent,
  isClaimPath,
  isDisplayOf,
  isFilledListOf,
  isHttpsUrl,
  isListOf,
  isString,
  objectsIn,
} from './values.ts'

const file = (path: string) => fileOf(credo, `openid4vci/src/${path}`)
const metadata = file('metadata/credential-issuer/z-credential-issuer-metadata.ts')
const configuration = file('metadata/credential-issuer/z-credential-configuration-supported-common.ts')
const claims = file('metadata/credential-issuer/z-claims-description.ts')
const definitions = file('formats/credential/w3c-vc/z-w3c-vc-common.ts')
const sdJwt = file('formats/credential/sd-jwt-dc/z-sd-jwt-dc.ts')
const mdoc = file('formats/credential/mso-mdoc/z-mso-mdoc.ts')
const formats = ['dc+sd-jwt', 'mso_mdoc', 'jwt_vc_json-ld', 'ldp_vc', 'jwt_vc_json', 'vc+sd-jwt']
const namedAlgorithms = formats.filter((each) => each !== 'mso_mdoc')
const ofIssuer = { part: 'issuerMetadata', affects: 'issuer' } as const
const ofConfiguration = { part: 'issuerMetadata', affects: 'configuration' } as const
const isPicture = ifPresent((uri) => isHttpsUrl(uri) || (isString(uri) && /data:[\w/\-.]+;\w+,/.test(uri)))
const setPictures = 'Set https: or data: URLs for the pictures.'

const ofMetadata: ReaderCheck[] = [
  {
    ...{ ...ofIssuer, id: 'https_urls', source: metadata },
    what: 'The issuer identifier and the credential endpoint are https: URLs',
    check: members('issuerMetadata', ['credential_issuer', 'credential_endpoint'], isHttpsUrl, 'an https: URL'),
  },
  {
    ...{ ...ofIssuer, id: 'optional_endpoints', source: metadata },
    what: 'The other endpoints are https: URLs',
    check: members(
      'issuerMetadata',
      ['nonce_endpoint', 'deferred_credential_endpoint', 'notification_endpoint'],
      ifPresent(isHttpsUrl),
      'an https: URL',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'authorization_servers', source: metadata },
    what: 'The authorization servers are https: URLs',
    check: members(
      'issuerMetadata',
      ['authorization_servers'],
      ifPresent(isListOf(isHttpsUrl)),
      'a list of https: URLs',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'format', source: configuration },
    what: 'Each configuration has a format',
    check: configurationMembers(undefined, 'format', isString, 'a text'),
  },
  {
    ...{ ...ofIssuer, id: 'binding_methods', source: configuration },
    what: 'The binding methods are a list of texts',
    check: configurationMembers(
      undefined,
      'cryptographic_binding_methods_supported',
      ifPresent(isListOf(isString)),
      'a list of texts',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'proof_algorithms', source: configuration },
    what: 'Each proof type has a list of algorithms',
    check: configurationMembers(
      undefined,
      'proof_types_supported',
      (types) => objectsIn(types).every((each) => isListOf(isString)(each.proof_signing_alg_values_supported)),
      'an object whose members have proof_signing_alg_values_supported',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'configuration_display', source: configuration },
    what: 'Each display of a configuration has a name, and pictures with an https: or data: URL',
    check: configurationMembers(
      undefined,
      'credential_metadata.display',
      ifPresent(isListOf(isDisplayOf(isString, isPicture))),
      'a list of objects with a name, whose pictures have https: or data: URLs',
      `${setPictures} The configuration is {id}.`,
    ),
  },
  {
    ...{ ...ofIssuer, id: 'issuer_display', source: metadata },
    what: 'The names of the issuer are texts, and its logos have https: or data: URLs',
    check: members(
      'issuerMetadata',
      ['display'],
      ifPresent(isListOf(isDisplayOf(ifPresent(isString), isPicture))),
      'a list of objects with a name, whose logos have https: or data: URLs',
      `${setPictures} The logo of the issuer is branding.logoUrl of the tenant.`,
    ),
  },
  {
    ...{ ...ofIssuer, id: 'batch_size', source: metadata },
    what: 'The size of a batch is positive',
    check: members(
      'issuerMetadata',
      ['batch_credential_issuance'],
      ifPresent((batch) => Number(objectOf(batch).batch_size) > 0),
      'an object with a positive batch_size',
    ),
  },
  {
    ...{ ...ofIssuer, id: 'response_encryption', source: metadata },
    what: 'Encrypted responses have algorithms, methods, and whether they are required',
    check: members(
      'issuerMetadata',
      ['credential_response_encryption'],
      ifPresent((value) => {
        const { alg_values_supported: algorithms, enc_values_supported: methods } = objectOf(value)
        return (
          [algorithms, methods].every(isListOf(isString)) && typeof objectOf(value).encryption_required === 'boolean'
        )
      }),
      'an object with alg_values_supported, enc_values_supported and encryption_required',
    ),
  },
  {
    ...{ ...ofConfiguration, id: 'known_format', source: metadata },
    what: 'Configurations of unknown formats are left out',
    check: knownFormats(formats, 'configuration'),
  },
  {
    ...{ ...ofConfiguration, id: 'vct', source: sdJwt },
    what: 'An SD-JWT VC has its type',
    check: configurationMembers(['dc+sd-jwt'], 'vct', isString, 'a text'),
  },
  {
    ...{ ...ofConfiguration, id: 'doctype', source: mdoc },
    what: 'An mdoc has its document type',
    check: configurationMembers(['mso_mdoc'], 'doctype', isString, 'a text'),
  },
  {
    ...{ ...ofConfiguration, id: 'json_ld_definition', source: definitions },
    what: 'A JSON-LD credential has contexts and types, which are texts',
    check: configurationMembers(
      ['ldp_vc', 'jwt_vc_json-ld'],
      'credential_definition',
      (value) => isListOf(isString)(objectOf(value)['@context']) && isFilledListOf(isString)(objectOf(value).type),
      'an object with the texts of its @context and its type',
    ),
  },
  {
    ...{ ...ofConfiguration, id: 'mdoc_algorithms', source: mdoc },
    what: 'The signature algorithms of an mdoc are COSE numbers',
    check: configurationMembers(
      ['mso_mdoc'],
      'credential_signing_alg_values_supported',
      ifPresent(isListOf((each) => typeof each === 'number')),
      'a list of COSE numbers',
    ),
  },
  {
    ...{ ...ofConfiguration, id: 'named_algorithms', source: sdJwt },
    what: 'The signature algorithms of other formats are names',
    check: configurationMembers(
      namedAlgorithms,
      'credential_signing_alg_values_supported',
      ifPresent(isListOf(isString)),
      'a list of names',
    ),
  },
  {
    ...{ ...ofConfiguration, id: 'claim_paths', source: claims },
    what: 'Claim paths are not empty, and have texts, null and indexes',
    check: configurationMembers(
      formats,
      'credential_metadata.claims',
      (list) => elementsOf(list).every((each) => isClaimPath(objectOf(each).path)),
      'a list of objects whose path has texts, null or indexes',
    ),
  },
  {
    ...{ ...ofConfiguration, id: 'mdoc_claim_paths', source: claims },
    what: 'The path of a claim of an mdoc starts with the namespace and the name of the element',
    check: configurationMembers(
      ['mso_mdoc'],
      'credential_metadata.claims',
      (list) =>
        elementsOf(list).every((each) => [0, 1].every((index) => isString(elementsOf(objectOf(each).path)[index]))),
      'a list of objects whose path starts with the namespace and the element',
    ),
  },
]

/** The requirements of the library of Credo. */
export const credoChecks: readonly ReaderCheck[] = [...ofMetadata, ...checksOfCredoAnswers]
