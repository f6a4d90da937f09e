import { newCertificate, pemOf } from '../certificates/certificates.ts'
import type { Api } from '../harness/api-client.ts'
import type { Service, TestTenant } from '../harness/harness.ts'

/** An object that a PUT replaces, and the effect of a body without optional members. */
export interface Replaceable {
  /** Creates the object and returns its path. */
  make(tenant: TestTenant): Promise<string>
  /** A body with all optional members. Their values differ from those of a new object. */
  full: object | ((tenant: TestTenant) => Promise<object>)
  /** The required members of a body. */
  least: object
  reset: readonly string[]
  kept?: readonly string[]
  /** Members of `kept` that null resets. */
  nulls?: readonly string[]
  /** The API client of the PUT. By default the operator of the tenant. */
  by?: (service: Service) => Api
}

/** Sends a POST and returns the id of the created object. */
export async function made({ operator }: Pick<TestTenant, 'operator'>, path: string, body: object): Promise<string> {
  const answer = await operator.post(path, body)
  if (answer.status > 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body.id ?? answer.body.clientId
}

/** Creates the object with a POST to `path`. */
export function madeAt(path: string, body: object): Replaceable['make'] {
  return async (tenant) => `${path}/${await made(tenant, path, body)}`
}

export async function rootPem(): Promise<string> {
  return pemOf(await newCertificate({ name: 'Root', ca: true }))
}
