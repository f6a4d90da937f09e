import { newCertificate, pemOf } from '../certificates/certificates.ts'
import type { Api } from '../harness/api-client.ts'
import type { Service, TestTenant } from '../harness/harness.ts'

/** What a PUT replaces, and what becomes of its optional members when a body leaves them out. */
export interface Replaceable {
  /** Makes a thing, and returns its path. */
  make(tenant: TestTenant): Promise<string>
  /** Has all optional members, with values that a new thing does not have. */
  full: object | ((tenant: TestTenant) => Promise<object>)
  /** The members that a body cannot be without. */
  least: object
  reset: readonly string[]
  kept?: readonly string[]
  /** The operator of the tenant where nothing is said. */
  by?: (service: Service) => Api
}

/** The id of what a POST makes. */
export async function made({ operator }: Pick<TestTenant, 'operator'>, path: string, body: object): Promise<string> {
  const answer = await operator.post(path, body)
  if (answer.status > 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body.id ?? answer.body.clientId
}

/** Makes a thing by a POST to `path`. */
export function madeAt(path: string, body: object): Replaceable['make'] {
  return async (tenant) => `${path}/${await made(tenant, path, body)}`
}

export async function rootPem(): Promise<string> {
  return pemOf(await newCertificate({ name: 'Root', ca: true }))
}
