import type { TestTenant } from '../../harness.ts'

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
