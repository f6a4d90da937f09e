import type { Schemas } from '../../kit/api.ts'
import { to } from '../../kit/url-state.ts'

type Result = Schemas['SearchResults']['data'][number]

const pathsByKind: Record<Result['kind'], (result: Result) => string> = {
  user: ({ id }) => `/users/${id}`,
  offer: ({ id }) => `/offers/${id}`,
  credential: ({ id }) => `/credentials?id=${id}`,
  configuration: ({ id, profile }) => `/configurations/${profile}/${id}`,
  'bulk-issuance': ({ id }) => `/bulk/${id}`,
  'claim-link': ({ bulkIssuanceId, name = '' }) => `/bulk/${bulkIssuanceId}?externalId=${encodeURIComponent(name)}`,
  certificate: ({ id, certificateKind }) => `/certificates/${certificateKind}/${id}`,
  'ecosystem-certificate': ({ id, certificateKind }) => `/certificates/${certificateKind}/${id}`,
  'trusted-issuer': () => '/certificates?tab=trusted',
  ecosystem: ({ id }) => `/ecosystems/${id}`,
  participant: ({ id, ecosystemId }) => `/ecosystems/${ecosystemId}/participants/${id}`,
  webhook: ({ id }) => `/webhooks/${id}`,
  client: () => '/access',
  request: ({ id }) => `/events?requestId=${encodeURIComponent(id)}`,
}

/** Returns the address of the screen of a result. Trusted issuers and clients have a list only. */
export function addressOf(result: Result): string {
  return to(pathsByKind[result.kind](result))
}
