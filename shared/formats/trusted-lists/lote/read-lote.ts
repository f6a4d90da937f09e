import { dayMs } from '../../../clock.ts'
import { FormatError } from '../../format-error.ts'
import { parseStrictJson } from '../../strict-json.ts'
import { type Lote, LoteDocument, type LoteEntity, type LoteScheme } from './lote-schema.ts'
import { type LoteProfile, type LoteService, maxLoteDays } from './lote-types.ts'

const maxDepth = 32

/** Reads the payload of a list (ETSI TS 119 602, clause 6). Throws `invalid_trusted_list` with the first fault and its place. */
export function readLotePayload(payload: Uint8Array): Lote {
  const read = parseStrictJson(payload, maxDepth)
  if ('fault' in read) throw new FormatError('invalid_trusted_list', jsonFaults[read.fault])
  const parsed = LoteDocument.safeParse(read.value)
  if (parsed.success) return parsed.data.LoTE
  const [issue] = parsed.error.issues
  const place = issue?.path.join('.').slice(0, 200)
  throw new FormatError('invalid_trusted_list', `${place || 'the payload'}: ${issue?.message.slice(0, 200)}`)
}

const jsonFaults = {
  malformed: 'its payload is not JSON in UTF-8',
  duplicate_member: 'its payload has a member twice',
  too_deep: `its payload has more than ${maxDepth} levels`,
}

/** Returns why a list does not follow the rules of its type (annexes D to I). Returns undefined if it follows them. */
export function findLoteFault({ ListAndSchemeInformation: scheme, TrustedEntitiesList }: Lote, profile: LoteProfile) {
  const fault = findSchemeFault(scheme, profile)
  if (fault) return fault
  for (const [index, entity] of TrustedEntitiesList.entries()) {
    const entityFault = findEntityFault(entity, profile)
    if (entityFault) return `TrustedEntitiesList.${index}: ${entityFault}`
  }
  return undefined
}

function findSchemeFault(scheme: LoteScheme, profile: LoteProfile): string | undefined {
  const { history, mayPoint, communityRules, statusDetermination } = profile
  const { HistoricalInformationPeriod: years, SchemeTypeCommunityRules: rules = [] } = scheme
  const durationMs = Date.parse(scheme.NextUpdate) - Date.parse(scheme.ListIssueDateTime)
  if (scheme.LoTEVersionIdentifier !== 1) return 'LoTEVersionIdentifier must be 1'
  if (!statusDetermination.includes(scheme.StatusDeterminationApproach ?? ''))
    return `StatusDeterminationApproach must be ${statusDetermination.at(-1)}`
  if (scheme.SchemeTerritory !== 'EU') return 'SchemeTerritory must be EU'
  if (rules.length !== 1 || rules[0]?.uriValue !== communityRules)
    return `SchemeTypeCommunityRules must have only ${communityRules}`
  if (history === 'absent' && years !== undefined) return 'HistoricalInformationPeriod must be absent'
  if (typeof history === 'number' && years !== history) return `HistoricalInformationPeriod must be ${history}`
  if (!mayPoint && scheme.PointersToOtherLoTE) return 'PointersToOtherLoTE must be absent'
  if (durationMs <= 0) return 'NextUpdate must be after ListIssueDateTime'
  if (durationMs > maxLoteDays * dayMs) return 'NextUpdate must be within 6 months of ListIssueDateTime'
  return undefined
}

function findEntityFault(entity: LoteEntity, { entityUri, services, hasStatus }: LoteProfile): string | undefined {
  const { TrustedEntityInformation: information, TrustedEntityServices } = entity
  if (entityUri) {
    const uri = information.TEInformationURI?.find(({ uriValue }) => uriValue.startsWith(entityUri))?.uriValue
    if (!/^[A-Z]{2}$/.test(uri?.slice(entityUri.length) ?? ''))
      return `TEInformationURI must have ${entityUri} with the country of the entity`
  }
  const kinds = Object.values(services)
  for (const { ServiceInformation: service } of TrustedEntityServices) {
    if (!kinds.includes(service.ServiceTypeIdentifier ?? ''))
      return `ServiceTypeIdentifier must be one of ${kinds.join(', ')}`
    if (!hasStatus && (service.ServiceStatus ?? service.StatusStartingTime) !== undefined)
      return 'ServiceStatus and StatusStartingTime must be absent'
  }
  return undefined
}

/** A certificate of a service, as listed. */
export interface LoteCertificate {
  /** The name of the entity, in English if the list has it. */
  name: string
  service: LoteService
  /** The base64 of the certificate. Absent if the service has no certificate. */
  val?: string
  isWithdrawn: boolean
}

/** Returns the certificates of all services in order, and one item for each service without a certificate. */
export function certificatesOf({ TrustedEntitiesList }: Lote, { services }: LoteProfile): LoteCertificate[] {
  return TrustedEntitiesList.flatMap(({ TrustedEntityInformation: { TEName }, TrustedEntityServices }) => {
    const name = (TEName.find(({ lang }) => lang === 'en') ?? TEName[0])?.value ?? ''
    return TrustedEntityServices.flatMap(({ ServiceInformation: information }) => {
      const { ServiceDigitalIdentity, ServiceTypeIdentifier, ServiceStatus } = information
      const service: LoteService = ServiceTypeIdentifier === services.revocation ? 'revocation' : 'issuance'
      const of = { name, service, isWithdrawn: ServiceStatus !== undefined && !ServiceStatus.endsWith('/notified') }
      const { X509Certificates = [] } = ServiceDigitalIdentity
      return X509Certificates.length === 0 ? [of] : X509Certificates.map(({ val }) => ({ ...of, val }))
    })
  })
}
