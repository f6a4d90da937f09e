import type { ApiResponse } from './api-client.ts'
import type { TestTenant } from './harness.ts'

type Operated = Pick<TestTenant, 'operator'>
type Profile = 'compact' | 'compact-semantic' | 'web-semantic'

/** A minimal payload of each profile. */
export const payloads = {
  compact: { type: 'Course', given_name: 'Ada' },
  'compact-semantic': { vc: { type: 'Course', credentialSubject: { given_name: 'Ada' } } },
  'web-semantic': { type: ['Course'], credentialSubject: { given_name: 'Ada' } },
}

export function sign({ operator }: Operated, profile: Profile, body: object = {}): Promise<ApiResponse> {
  return operator.post(`/v2/credentials/${profile}/sign`, { payload: payloads[profile], ...body })
}

/** Signs a payload. Expects success. */
export async function signed(tenant: Operated, profile: Profile, body: object = {}) {
  const answer = await sign(tenant, profile, body)
  if (answer.status !== 200) throw new Error(`sign: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}
