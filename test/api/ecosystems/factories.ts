import { request } from 'undici'
import { type Certified, newCertificate, pemOf } from '../../certificates/certificates.ts'
import type { Service, TestTenant } from '../../harness/harness.ts'

type Operated = Pick<TestTenant, 'operator'>

async function make({ operator }: Operated, path: string, body: object): Promise<string> {
  const answer = await operator.post(path, body)
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body.id
}

/** The address of a new ecosystem. */
export async function newEcosystem(tenant: Operated, body: object = {}): Promise<string> {
  return `/v1/ecosystems/${await make(tenant, '/v1/ecosystems', { name: 'Ecosystem', ...body })}`
}

/** The id of a new type in the ecosystem at `path`. */
export async function newType(tenant: Operated, path: string, body: object = {}): Promise<string> {
  return make(tenant, `${path}/credentials`, { profile: 'compact', type: 'Licence', name: 'Licence', ...body })
}

/** The address of a new participant in the ecosystem at `path`. */
export async function newParticipant(tenant: Operated, path: string, body: object = {}): Promise<string> {
  return `${path}/participants/${await make(tenant, `${path}/participants`, { name: 'Participant', ...body })}`
}

/** One who is listed in the role for the type, with these certificates: its address. */
export async function newListed(
  tenant: Operated,
  path: string,
  role: 'issuer' | 'verifier',
  { name = 'Listed', credentialId, holds }: { name?: string; credentialId: string; holds?: Certified[] },
): Promise<string> {
  const certificates = holds ?? [await newCertificate({ name: 'Authority', ca: true })]
  const mobile = certificates.map((each) => ({ certificatePem: pemOf(each) }))
  const roles = { isIssuer: role === 'issuer', isVerifier: role === 'verifier' }
  const participant = await newParticipant(tenant, path, { name, ...roles, identifiers: { mobile } })
  await tenant.operator.post(`${participant}/${role}/credentials`, { credentialId })
  return participant
}

/** What anybody is answered at a path, in bytes. */
export async function bytesAt(
  { origin }: Pick<Service, 'origin'>,
  { host }: Pick<TestTenant, 'host'>,
  path: string,
  said: Record<string, string> = {},
) {
  const { statusCode: status, headers, body } = await request(origin + path, { headers: { host, ...said } })
  return { status, headers, bytes: Buffer.from(await body.arrayBuffer()) }
}
