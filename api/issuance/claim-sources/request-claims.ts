import type { ClaimSourceRow } from '../../../db/repos/issuance/claim-sources.ts'
import type { Claims } from '../../../db/tables/issuance/users.ts'
import { type ClaimSources, findValue } from '../../../shared/domain/issuance/claims/claim-values.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { isJsonObject } from '../../../shared/formats/json-object.ts'
import type { OutboundRequest } from '../../../shared/outbound/outbound.ts'
import { OutboundError } from '../../../shared/outbound/outbound-error.ts'
import type { Deps } from '../../deps.ts'
import { parseJson } from '../../http/json.ts'
import { accessTokenFor, forgetAccessToken } from './access-token.ts'
import { openAuthorization } from './authorization.ts'
import { ClaimSourceError } from './claim-source-error.ts'

/** The limit for the whole call, including the token request. */
const timeoutMs = 3_000
/** The same limit as for an offer: a portrait has 200 KB, and a third more in base64. */
const maxResponseBytes = 500_000

/** Requests the claims of a person from a source. Throws `ClaimSourceError` and `OutboundError`. */
export async function requestClaims(deps: Deps, source: ClaimSourceRow, sources: ClaimSources): Promise<Claims> {
  const deadline = performance.now() + timeoutMs
  const headers = await authorizationOf(deps, source)
  const leftMs = deadline - performance.now()
  if (leftMs <= 0) throw new OutboundError('timeout')
  const request = requestTo(source, parametersOf(source, sources))
  const { status, body } = await deps.outbound.request({
    ...request,
    headers: { accept: 'application/json', ...request.headers, ...headers },
    timeoutMs: leftMs,
    maxResponseBytes,
  })
  if (status === 401) forgetAccessToken(deps, source)
  if (status < 200 || status > 299) throw new ClaimSourceError('status', String(status))
  return parseClaims(body)
}

async function authorizationOf(deps: Deps, source: ClaimSourceRow): Promise<Record<string, string>> {
  const { type, value } = openAuthorization(deps.secrets, source)
  if (type === 'api-key') return { 'x-api-key': value }
  return { authorization: `Bearer ${await accessTokenFor(deps, source, value, timeoutMs)}` }
}

function parametersOf({ requestParameters }: ClaimSourceRow, sources: ClaimSources): Record<string, unknown> {
  const parameters = Object.entries(requestParameters).map(([name, { mapFrom, defaultValue }]) => {
    return [name, (mapFrom === undefined ? undefined : findValue(mapFrom, sources)) ?? defaultValue] as const
  })
  return Object.fromEntries(parameters.filter(([, value]) => value !== undefined))
}

type Request = Pick<OutboundRequest, 'method' | 'url' | 'headers' | 'body'>

function requestTo({ requestMethod: method, url }: ClaimSourceRow, parameters: Record<string, unknown>): Request {
  if (method === 'POST') {
    return { method, url, headers: { 'content-type': 'application/json' }, body: JSON.stringify(parameters) }
  }
  const target = new URL(url)
  for (const [name, value] of Object.entries(parameters)) {
    target.searchParams.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return { method, url: target.href }
}

/** Uses the strict JSON parser, so that the signed claims are exactly the received ones. */
function parseClaims(body: Buffer): Claims {
  const value = parse(body)
  if (isJsonObject(value)) return { ...value }
  throw new ClaimSourceError('no_object', body.length === 0 ? 'the body is empty' : kindOf(value))
}

/** Names what was received, without its content. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'it is not JSON, or ambiguous'
  if (value === null) return 'it is null'
  return Array.isArray(value) ? 'it is an array' : `it is a ${typeof value}`
}

function parse(body: Buffer): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    // The decoder throws a TypeError for invalid UTF-8.
    if (error instanceof Problem || error instanceof TypeError) return undefined
    throw error
  }
}
