import type { ApiResponse } from '../harness/api-client.ts'
import type { TestTenant } from '../harness/harness.ts'
import type { TokenServer } from '../servers/token-server.ts'
import { type HolderKeyPair, makeProof, newHolderKey } from './wallet.ts'

export const serversPath = '/v1/openid/authorization-servers'

/** Adds an authorization server to a tenant. Returns its id. */
export async function addServer(
  tenant: TestTenant,
  server: Pick<TokenServer, 'issuer'>,
  settings: Record<string, unknown> = {},
): Promise<string> {
  const body = { name: 'City', issuer: server.issuer, audience: tenant.baseUrl, ...settings }
  const { status, body: created } = await tenant.operator.post(serversPath, body)
  if (status !== 201) throw new Error(`authorization server: ${status} ${JSON.stringify(created)}`)
  return created.id
}

interface ExternalRequest {
  body?: Record<string, unknown>
  headers?: Record<string, string>
  key?: HolderKeyPair
}

/** Requests a credential with an access token of another authorization server. */
export async function requestWith(
  { anonymous, baseUrl }: TestTenant,
  token: string,
  configurationId: string,
  { body = {}, headers = {}, key }: ExternalRequest = {},
): Promise<ApiResponse> {
  const { body: answer } = await anonymous.post('/v1/openid/nonce')
  const proof = await makeProof({ issuer: baseUrl, nonce: answer.c_nonce, key: key ?? (await newHolderKey()) })
  const request = { credential_configuration_id: configurationId, proofs: { jwt: [proof] }, ...body }
  return anonymous.post('/v1/openid/credential', request, { authorization: `Bearer ${token}`, ...headers })
}
