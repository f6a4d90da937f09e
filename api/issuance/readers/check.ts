import { isJsonObject } from '../../../shared/formats/json-object.ts'

export type JsonMembers = Record<string, unknown>

export const parts = ['issuerMetadata', 'serverMetadata', 'offer', 'tokenAnswer', 'credentialAnswer'] as const

/** The documents that a wallet reads, as parsed JSON. A check of an absent part is not made. */
export type Documents = { [Part in (typeof parts)[number]]?: JsonMembers }

/** A file of a public wallet library. */
export interface Source {
  repository: string
  path: string
  /** A tag or a commit. */
  version: string
}

/** A member that a wallet does not read, and its correction. */
export interface ReaderFault {
  /** The path of the member in the document. */
  field: string
  message: string
  fix: string
  /** The configuration that has the member. */
  configurationId?: string
}

/** A rule that a wallet library applies to a document, in our words. */
export interface ReaderCheck {
  id: string
  what: string
  source: Source
  part: keyof Documents
  /** `issuer`: the wallet refuses the document. `configuration`: it leaves out the configuration, and reads the rest. */
  affects: 'issuer' | 'configuration'
  check(documents: Documents): ReaderFault[]
}

/** Who can change a value for which a check names no other change. */
const defaultFixes = {
  issuerMetadata: 'The service writes this value. Report the finding with the metadata.',
  serverMetadata: 'Change the metadata of the authorization server.',
  offer: 'Change the offer, or create it with POST /v1/openid/offers.',
  tokenAnswer: 'Change the answers of the token endpoint.',
  credentialAnswer: 'Change the answers of the credential endpoint.',
} as const satisfies Record<keyof Documents, string>

/** How a tenant serves a wallet that refuses an issuer because of one configuration. */
export const atOtherView = 'Make the offers for this wallet at a view without this configuration (POST /v1/views).'

type Test = (value: unknown) => boolean

/** Checks members of a document. `must` completes the sentence that starts with "must be". */
export function members(
  part: keyof Documents,
  names: readonly string[],
  isFine: Test,
  must: string,
  fix: string = defaultFixes[part],
): ReaderCheck['check'] {
  return ({ [part]: document = {} }) =>
    names
      .filter((name) => !isFine(document[name]))
      .map((field) => ({ field, message: `${field} must be ${must}.`, fix }))
}

/** Checks a condition between members of a document. */
export function condition(
  part: keyof Documents,
  field: string,
  isFine: (document: JsonMembers, documents: Documents) => boolean,
  message: string,
  fix: string = defaultFixes[part],
): ReaderCheck['check'] {
  return (documents) => (isFine(documents[part] ?? {}, documents) ? [] : [{ field, message, fix }])
}

/** Returns the configurations of the metadata. One that is no object has no members. */
export function describedConfigurations({ issuerMetadata }: Documents): [id: string, configuration: JsonMembers][] {
  return Object.entries(objectOf(issuerMetadata?.credential_configurations_supported)).map(([id, each]) => [
    id,
    objectOf(each),
  ])
}

/** Checks each configuration of the formats. Without formats it checks all. `must` completes "must be". */
export function configurationMembers(
  formats: readonly string[] | undefined,
  path: string,
  isFine: (value: unknown, configuration: JsonMembers) => boolean,
  must: string,
  fix: string = defaultFixes.issuerMetadata,
): ReaderCheck['check'] {
  return (documents) =>
    describedConfigurations(documents)
      .filter(([, { format }]) => formats === undefined || formats.some((each) => each === format))
      .filter(([, configuration]) => !isFine(memberAt(configuration, path), configuration))
      .map(([configurationId, configuration]) => ({
        field: `credential_configurations_supported.${configurationId}.${path}`,
        message: `The configuration ${configurationId} has the format ${configuration.format}. Its ${path} must be ${must}.`,
        fix: fix.replaceAll('{id}', configurationId),
        configurationId,
      }))
}

/** Checks that the wallet knows the format of each configuration. */
export function knownFormats(formats: readonly string[], affects: ReaderCheck['affects']): ReaderCheck['check'] {
  const rest = affects === 'issuer' ? 'refuses the whole issuer' : 'leaves it out'
  const fix = affects === 'issuer' ? atOtherView : 'Offer this wallet credentials of another format.'
  return (documents) =>
    describedConfigurations(documents)
      .filter(([, { format }]) => !formats.some((each) => each === format))
      .map(([configurationId, { format }]) => ({
        field: `credential_configurations_supported.${configurationId}.format`,
        message: `The configuration ${configurationId} has the format ${format ?? 'undefined'}. The wallet does not know it and ${rest}.`,
        fix,
        configurationId,
      }))
}

export function objectOf(value: unknown): JsonMembers {
  return isJsonObject(value) ? value : {}
}

export function elementsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns the value at a path with dots. */
export function memberAt(document: JsonMembers, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => objectOf(value)[name], document)
}
