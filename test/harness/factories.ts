import type { TestTenant } from './harness.ts'

type Operated = Pick<TestTenant, 'operator'>

type Mappings = Record<string, { mapFrom?: string; defaultValue?: string; required?: boolean }>

const nameMappings: Mappings = {
  given_name: { mapFrom: 'claims.given_name', required: true },
  level: { defaultValue: 'B1' },
}

async function create(tenant: Operated, profile: string, body: Record<string, unknown>): Promise<string> {
  const { status, body: created } = await tenant.operator.post(`/v2/credentials/${profile}/configurations`, body)
  if (status !== 201) throw new Error(`configuration: ${status} ${JSON.stringify(created)}`)
  return created.id
}

let counter = 0
const newType = () => `TestType${++counter}`

/** Configurations of each profile. They require the claim `given_name`, and `level` has a default. */
export const compactConfiguration = (tenant: Operated, extra: Record<string, unknown> = {}) =>
  create(tenant, 'compact', { type: newType(), claimMappings: nameMappings, expiresIn: { years: 1 }, ...extra })

export const semanticConfiguration = (tenant: Operated, extra: Record<string, unknown> = {}) =>
  create(tenant, 'compact-semantic', { type: newType(), claimMappings: nameMappings, ...extra })

export const webConfiguration = (tenant: Operated, extra: Record<string, unknown> = {}) =>
  create(tenant, 'web-semantic', {
    name: 'Course certificate',
    description: 'For those who passed',
    type: 'CourseCertificate',
    issuer: { name: 'Test University', logoUrl: 'https://example.org/logo.png' },
    claimMappings: nameMappings,
    ...extra,
  })

/** Returns the active root of the tenant's mobile credentials. */
export async function activeIaca(tenant: Operated, extra: Record<string, unknown> = {}) {
  const iacas = '/v2/credentials/mobile/iacas'
  const { body } = await tenant.operator.post(iacas, { commonName: 'Test IACA', country: 'NZ', ...extra })
  const { status, body: active } = await tenant.operator.put(`${iacas}/${body.id}`, { active: true })
  if (status !== 200) throw new Error(`IACA: ${status} ${JSON.stringify(active)}`)
  return active as { id: string; certificatePem: string }
}

export const mdlType = 'org.iso.18013.5.1.mDL'
export const mdlNamespace = 'org.iso.18013.5.1'

/** The claims that a driving licence requires, and some more. */
export const mdlClaims = {
  family_name: 'Lovelace',
  given_name: 'Ada',
  birth_date: '1990-12-10',
  issue_date: '2026-01-01',
  expiry_date: '2036-01-01',
  issuing_country: 'NZ',
  issuing_authority: 'Transport Agency',
  document_number: 'DL-1',
  portrait: Buffer.alloc(900, 1).toString('base64'),
  driving_privileges: [{ vehicle_category_code: 'B', issue_date: '2018-08-09', expiry_date: '2036-01-01' }],
  un_distinguishing_sign: 'NZ',
  age_over_18: true,
  height: 170,
}

/** Maps each claim from its own name. */
export const mappingsFrom = (claims: object) =>
  Object.fromEntries(Object.keys(claims).map((name) => [name, { mapFrom: `claims.${name}` }]))

export const mdlConfiguration = (tenant: Operated, extra: Record<string, unknown> = {}) =>
  create(tenant, 'mobile', { type: mdlType, claimMappings: { [mdlNamespace]: mappingsFrom(mdlClaims) }, ...extra })

/** An SD-JWT VC with an object, an array and a claim that is always visible. */
export const sdJwtConfiguration = (tenant: Operated, extra: Record<string, unknown> = {}) =>
  create(tenant, 'sd-jwt', {
    ...{ vct: 'urn:example:student-card', name: 'Student card', claimMappings: sdJwtMappings, ...extra },
  })

export const sdJwtMappings = {
  given_name: { mapFrom: 'claims.given_name', required: true },
  level: { defaultValue: '1', type: 'integer', disclose: 'never' },
  address: { members: { locality: { mapFrom: 'claims.city' } } },
  degrees: { each: { members: { type: { mapFrom: 'claims.degrees[].type', required: true } } } },
}

export interface NewOffer {
  id: string
  userId: string
  uri: string
  page: string
  expiresAt: number
  transactionCode?: string
}

/** Creates a pre-authorized offer, by default for a new user called Ada. */
export async function newOffer(tenant: Operated, configurationIds: string[], extra: Record<string, unknown> = {}) {
  const response = await tenant.operator.post('/v1/openid/offers/pre-authorized', {
    credentials: configurationIds,
    claims: { given_name: 'Ada' },
    ...extra,
  })
  if (response.status !== 200) throw new Error(`offer: ${response.status} ${JSON.stringify(response.body)}`)
  return response.body as NewOffer
}
