import { hash, type X509Certificate } from 'node:crypto'
import type { BytesSigner } from '../../bytes-signer.ts'
import { certificateFromPem } from '../../certificate.ts'
import { algorithmOfKey } from '../../compact-jws.ts'
import { type LoteService, type LoteType, loteProfiles } from './lote-types.ts'

export interface LotePostalAddress {
  streetAddress: string
  locality: string
  stateOrProvince?: string | undefined
  postalCode: string
  /** ISO 3166-1, two letters. */
  country: string
}

export interface LoteAddress {
  postal: LotePostalAddress
  /** URIs: `mailto:`, `tel:` or `https:`. */
  electronic: string[]
}

export interface LoteEntityContent {
  name: string
  tradeName?: string | undefined
  address: LoteAddress
  informationUri: string
  /** The country in which the entity is notified. */
  country: string
  services: { name: string; type: LoteService; certificates: string[] }[]
}

/** The content that an operator configures. All texts are in English, which the standard requires at least. */
export interface LoteContent {
  schemeName: string
  schemeInformationUri: string
  policyUri: string
  schemeOperatorAddress: LoteAddress
  entities: LoteEntityContent[]
}

export interface LoteToBuild {
  type: LoteType
  operatorName: string
  content: LoteContent
  /** Increases with each list of a type. */
  number: number
  date: Date
  nextUpdate: Date
}

/** Builds the payload of a list (ETSI TS 119 602, clause 6, and the annex of its type). */
export function lotePayload({ type, operatorName, content, number, date, nextUpdate }: LoteToBuild): Buffer {
  const { loteType, statusDetermination, communityRules, history } = loteProfiles[type]
  const { schemeName, schemeInformationUri, policyUri, schemeOperatorAddress, entities } = content
  const lote = {
    ListAndSchemeInformation: {
      LoTEVersionIdentifier: 1,
      LoTESequenceNumber: number,
      LoTEType: loteType,
      SchemeOperatorName: text(operatorName),
      SchemeOperatorAddress: {
        SchemeOperatorPostalAddress: postal(schemeOperatorAddress.postal),
        SchemeOperatorElectronicAddress: schemeOperatorAddress.electronic.flatMap(uri),
      },
      SchemeName: text(schemeName),
      SchemeInformationURI: uri(schemeInformationUri),
      StatusDeterminationApproach: statusDetermination[0],
      SchemeTypeCommunityRules: uri(communityRules),
      SchemeTerritory: 'EU',
      PolicyOrLegalNotice: uri(policyUri).map((LoTEPolicy) => ({ LoTEPolicy })),
      ...(typeof history === 'number' && { HistoricalInformationPeriod: history }),
      ListIssueDateTime: date.toISOString(),
      NextUpdate: nextUpdate.toISOString(),
    },
    TrustedEntitiesList: entities.map((entity) => entityOf(entity, type)),
  }
  return Buffer.from(JSON.stringify({ LoTE: lote }))
}

function entityOf({ name, tradeName, address, informationUri, country, services }: LoteEntityContent, type: LoteType) {
  const { entityUri, services: identifiers } = loteProfiles[type]
  return {
    TrustedEntityInformation: {
      TEName: text(name),
      ...(tradeName !== undefined && { TETradeName: text(tradeName) }),
      TEAddress: {
        TEPostalAddress: postal(address.postal),
        TEElectronicAddress: address.electronic.flatMap(uri),
      },
      TEInformationURI: [...uri(informationUri), ...(entityUri ? uri(`${entityUri}${country}`) : [])],
    },
    TrustedEntityServices: services.map((service) => ({
      ServiceInformation: {
        ServiceTypeIdentifier: identifiers[service.type],
        ServiceName: text(service.name),
        ServiceDigitalIdentity: {
          X509Certificates: service.certificates.map((pem) => ({
            val: certificateFromPem(pem).raw.toString('base64'),
          })),
        },
      },
    })),
  }
}

function text(value: string) {
  return [{ lang: 'en', value }]
}

function uri(uriValue: string) {
  return [{ lang: 'en', uriValue }]
}

function postal({ streetAddress, locality, stateOrProvince, postalCode, country }: LotePostalAddress) {
  const address = { lang: 'en', StreetAddress: streetAddress, Locality: locality }
  const province = stateOrProvince === undefined ? {} : { StateOrProvince: stateOrProvince }
  return [{ ...address, ...province, PostalCode: postalCode, Country: country }]
}

/**
 * Signs a list as a compact JWS with the members of JAdES baseline B (ETSI TS 119 182-1, clause 6.3). `chain` starts with the signer and does
 * not contain the root.
 */
export async function signLote(
  payload: Uint8Array,
  { chain, key, date }: { chain: readonly X509Certificate[]; key: BytesSigner; date: Date },
): Promise<Buffer> {
  const header = {
    alg: algorithmOfKey(key.publicKey),
    typ: 'jose',
    cty: 'json',
    iat: Math.floor(date.getTime() / 1000),
    x5c: chain.map(({ raw }) => raw.toString('base64')),
    'x5t#S256': chain[0] && hash('sha256', chain[0].raw, 'base64url'),
  }
  const input = `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${Buffer.from(payload).toString('base64url')}`
  const signature = await key.sign(Buffer.from(input))
  return Buffer.from(`${input}.${signature.toString('base64url')}`)
}
