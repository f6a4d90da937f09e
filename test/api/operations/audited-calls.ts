import { expect } from 'vitest'
import type { Api, ApiResponse } from '../../api-client.ts'

type Call = [operation: string, call: (api: Api, made: Record<string, string>) => Promise<ApiResponse>, data: object]

const inboxes = '/v1/messaging/inboxes'
const contexts = '/v2/credentials/web-semantic/contexts'

/** What `audit.test.ts` calls of contexts and inboxes. */
export function inboxCalls(didOf: (tenantId: string) => string, secret: string): Call[] {
  return [
    [
      'createContext',
      (api) =>
        api.post(contexts, {
          url: `https://terms.example/${secret}`,
          document: { '@context': { level: 'https://terms.example/level' } },
        }),
      {},
    ],
    ['deleteContext', (api, { createContext }) => api.delete(`${contexts}/${createContext}`), {}],
    ['createInbox', (api) => api.post(inboxes, { name: 'One' }), {}],
    [
      'registerInboxDid',
      (api, { createInbox, tenant }) => api.post(`${inboxes}/${createInbox}/dids`, { did: didOf(tenant!) }),
      { did: expect.any(String) },
    ],
    [
      'unregisterInboxDid',
      (api, { createInbox, tenant }) =>
        api.delete(`${inboxes}/${createInbox}/dids/${encodeURIComponent(didOf(tenant!))}`),
      { did: expect.any(String) },
    ],
    [
      'updateInbox',
      (api, { createInbox }) => api.put(`${inboxes}/${createInbox}`, { name: secret }),
      { changed: ['name'] },
    ],
    ['deleteInbox', (api, { createInbox }) => api.delete(`${inboxes}/${createInbox}`), {}],
  ]
}
