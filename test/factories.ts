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

/** Configurations of each profile; a claim `given_name` is required, `level` has a default. */
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

/** A pre-authorized offer for a new user called Ada, unless told otherwise. */
export async function newOffer(tenant: Operated, configurationIds: string[], extra: Record<string, unknown> = {}) {
  const response = await tenant.operator.post('/v1/openid/offers/pre-authorized', {
    credentials: configurationIds,
    claims: { given_name: 'Ada' },
    ...extra,
  })
  if (response.status !== 200) throw new Error(`offer: ${response.status} ${JSON.stringify(response.body)}`)
  return response.body as { id: string; userId: string; uri: string; expiresAt: number; transactionCode?: string }
}
