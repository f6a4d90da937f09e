import { type Answered, api, callApi } from '../../../kit/api.ts'
import { orNull } from '../calls.ts'

export type PolicyKind = 'general' | 'issuer' | 'verifier'

/** A published policy with its content. */
export interface Policy {
  /** The id of an issuer or verifier policy. The general policy has only an ETag. */
  id: string | undefined
  publishedAt: string
  etag: string | undefined
  content: Record<string, unknown>
}

export function latestPath(ecosystemId: string, kind: PolicyKind): string {
  return `/v1/ecosystems/${ecosystemId}/${kind === 'general' ? '' : `${kind}-`}policies/public/latest`
}

/** Reads the latest policy without the cache, which may store it for a minute. */
export async function retrieveLatest(ecosystemId: string, kind: PolicyKind): Promise<Answered<Policy | null>> {
  const options = { params: { path: { ecosystemId } }, cache: 'no-cache' } as const
  if (kind === 'general') {
    const latest = await callApi(api.GET('/v1/ecosystems/{ecosystemId}/policies/public/latest', options))
    if (latest.problem) return orNull(latest)
    const { policyPublishedAt: publishedAt, ...content } = latest.data
    return { data: { id: undefined, publishedAt, etag: latest.etag, content } }
  }
  const latest = await callApi(api.GET(`/v1/ecosystems/{ecosystemId}/${kind}-policies/public/latest` as const, options))
  if (latest.problem) return orNull(latest)
  const { id, publishedAt, ...content } = latest.data
  return { data: { id, publishedAt, etag: latest.etag, content } }
}

export async function loadPolicy(
  ecosystemId: string,
  kind: Exclude<PolicyKind, 'general'>,
  policyId: string,
): Promise<Answered<Policy>> {
  const path = `/v1/ecosystems/{ecosystemId}/${kind}-policies/public/{policyId}` as const
  const answer = await callApi(api.GET(path, { params: { path: { ecosystemId, policyId } }, cache: 'no-cache' }))
  if (answer.problem) return answer
  const { id, publishedAt, ...content } = answer.data
  return { data: { id, publishedAt, etag: answer.etag, content } }
}

export async function loadPreview(ecosystemId: string, kind: PolicyKind): Promise<Answered<Record<string, unknown>>> {
  const params = { path: { ecosystemId } }
  if (kind === 'general') return callApi(api.GET('/v1/ecosystems/{ecosystemId}/preview', { params }))
  return callApi(api.GET(`/v1/ecosystems/{ecosystemId}/${kind}-policies/preview` as const, { params }))
}

export async function publishPolicy(ecosystemId: string, kind: PolicyKind): Promise<Answered<unknown>> {
  const params = { path: { ecosystemId } }
  if (kind === 'general') return callApi(api.POST('/v1/ecosystems/{ecosystemId}/policies', { params }))
  return callApi(api.POST(`/v1/ecosystems/{ecosystemId}/${kind}-policies` as const, { params }))
}

export function deletePolicy(ecosystemId: string, kind: Exclude<PolicyKind, 'general'>, policyId: string) {
  const path = `/v1/ecosystems/{ecosystemId}/${kind}-policies/{policyId}` as const
  return callApi(api.DELETE(path, { params: { path: { ecosystemId, policyId } } }))
}
