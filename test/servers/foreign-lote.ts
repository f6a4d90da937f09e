import { createHash, KeyObject, sign } from 'node:crypto'
import { type LoteType, loteProfiles } from '../../shared/formats/trusted-lists/lote/lote-types.ts'
import { type Certified, derOf, KeyUsageFlags, newCertificate } from '../certificates/certificates.ts'

const dayMs = 24 * 3_600_000

/** A JSON value that a test changes at will. */
// biome-ignore lint/suspicious/noExplicitAny: tests build invalid lists
export type Json = any

const english = (value: string) => [{ lang: 'en', value }]
const uris = (...values: string[]) => values.map((uriValue) => ({ lang: 'en', uriValue }))
const street = { lang: 'en', StreetAddress: 'Street 1', Locality: 'City', PostalCode: '1000', Country: 'BE' }

export interface LoteChanges {
  type?: LoteType
  number?: number
  date?: Date
  nextUpdate?: Date
  /** Changes the document before it is signed. */
  change?: (lote: Json) => void
}

/** A service of an entity with the certificates. */
export const serviceOf = (identifier: string, ...certificates: (Certified | string)[]): Json => ({
  ServiceInformation: {
    ServiceTypeIdentifier: identifier,
    ServiceName: english('Service'),
    ServiceDigitalIdentity: {
      X509Certificates: certificates.map((each) => ({
        val: typeof each === 'string' ? each : derOf(each).toString('base64'),
      })),
    },
  },
})

/** A list with one entity, whose authorities issue. `revokers` are certificates of its revocation service. */
export function loteOf(authorities: Certified[], changes: LoteChanges = {}, revokers: Certified[] = []): Json {
  const { type = 'pid-providers', number = 1, date = new Date(), change } = changes
  const nextUpdate = changes.nextUpdate ?? new Date(date.getTime() + 180 * dayMs)
  const { loteType, statusDetermination, communityRules, services, entityUri, history } = loteProfiles[type]
  const entity = {
    TrustedEntityInformation: {
      TEName: english('Provider'),
      TEAddress: { TEPostalAddress: [{ ...street }], TEElectronicAddress: uris('mailto:a@provider.example') },
      TEInformationURI: uris('https://provider.example', ...(entityUri ? [`${entityUri}BE`] : [])),
    },
    TrustedEntityServices: [
      serviceOf(services.issuance, ...authorities),
      ...(revokers.length > 0 ? [serviceOf(services.revocation, ...revokers)] : []),
    ],
  }
  const lote = {
    ListAndSchemeInformation: {
      LoTEVersionIdentifier: 1,
      LoTESequenceNumber: number,
      LoTEType: loteType,
      SchemeOperatorName: english('Operator'),
      StatusDeterminationApproach: statusDetermination.at(-1),
      SchemeTypeCommunityRules: uris(communityRules),
      SchemeTerritory: 'EU',
      ...(typeof history === 'number' && { HistoricalInformationPeriod: history }),
      ListIssueDateTime: date.toISOString(),
      NextUpdate: nextUpdate.toISOString(),
    },
    TrustedEntitiesList: authorities.length > 0 ? [entity] : [],
  }
  change?.(lote)
  return { LoTE: lote }
}

export interface JwsChanges {
  header?: Json
  /** The text of the payload, if it is not the JSON of the list. */
  payload?: string | Buffer
  /** The signer, if it is not that of the chain. */
  by?: Certified
  chain?: Certified[]
}

/** A signer of lists under its own root, which is not in the chain. */
export async function newLoteSigner(options: Partial<Parameters<typeof newCertificate>[0]> = {}) {
  const notAfter = new Date(Date.now() + 365 * dayMs)
  const root = await newCertificate({ name: 'Operator CA', ca: true, notAfter })
  const leaf = await newCertificate({
    ...{ name: 'Operator', issuer: root, usage: KeyUsageFlags.nonRepudiation, notAfter },
    ...options,
  })
  const signLote = (lote: Json, { header = {}, payload, by = leaf, chain = [leaf] }: JwsChanges = {}): Buffer => {
    const [first = leaf] = chain
    const head = {
      ...{ alg: by.kind.startsWith('RSA') ? 'RS256' : 'ES256', typ: 'jose', cty: 'json', iat: 1_700_000_000 },
      x5c: chain.map((each) => derOf(each).toString('base64')),
      'x5t#S256': createHash('sha256').update(derOf(first)).digest('base64url'),
      ...header,
    }
    const body = Buffer.from(payload ?? JSON.stringify(lote)).toString('base64url')
    const input = `${Buffer.from(JSON.stringify(head)).toString('base64url')}.${body}`
    const key = KeyObject.from(by.keys.privateKey as never)
    const hash = by.kind === 'Ed25519' ? null : 'sha256'
    const signature = sign(hash, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
    return Buffer.from(`${input}.${signature.toString('base64url')}`)
  }
  return { root, leaf, signLote }
}
