import { request } from 'undici'
import { type Certified, newCertificate, pemOf } from '../../certificates/certificates.ts'
import type { Service, TestTenant } from '../../harness/harness.ts'

type Operated = Pick<TestTenant, 'operator'>

async function make({ operator }: Operated, path: string, body: object): Promise<string> {
  const answer = await operator.post(path, body)
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body.id
}

/** Makes an ecosystem and returns its path. */
export async function newEcosystem(tenant: Operated, body: object = {}): Promise<string> {
  return `/v1/ecosystems/${await make(tenant, '/v1/ecosystems', { name: 'Ecosystem', ...body })}`
}

/** Makes a type in the ecosystem at `path` and returns its id. */
export async function newType(tenant: Operated, path: string, body: object = {}): Promise<string> {
  return make(tenant, `${path}/credentials`, { profile: 'compact', type: 'Licence', name: 'Licence', ...body })
}

/** Makes a participant in the ecosystem at `path` and returns its path. */
export async function newParticipant(tenant: Operated, path: string, body: object = {}): Promise<string> {
  return `${path}/participants/${await make(tenant, `${path}/participants`, { name: 'Participant', ...body })}`
}

/** Makes a participant with the role for the type and with these certificates. Returns its path. */
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

/** Requests a path without a token and returns the answer with its bytes. */
export async function bytesAt(
  { origin }: Pick<Service, 'origin'>,
  { host }: Pick<TestTenant, 'host'>,
  path: string,
  requestHeaders: Record<string, string> = {},
) {
  const { statusCode: status, headers, body } = await request(origin + path, { headers: { host, ...requestHeaders } })
  return { status, headers, bytes: Buffer.from(await body.arrayBuffer()) }
}
