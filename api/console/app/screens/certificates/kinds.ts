import { api, ask, type Schemas } from '../../kit/api.ts'

export type Signer = Schemas['DocumentSigner'] | Schemas['StatusListSigner']
export type Authority = Schemas['Iaca']

export const signerKinds = ['document-signer', 'status-list-signer'] as const
export type SignerKind = (typeof signerKinds)[number]
export type Kind = 'iaca' | SignerKind

/** Undefined where the address names none. */
export function kindOf(text: string | undefined): Kind | undefined {
  return (['iaca', ...signerKinds] as const).find((kind) => kind === text)
}

/** There are a few of each kind: one page has them all. */
const all = { params: { query: { limit: 1_000 } } }

export const listAuthorities = () => ask(api.GET('/v2/credentials/mobile/iacas', all))

/** What can be done with a signer, by its kind: both have the same operations at addresses of their own. */
export const signers = {
  'document-signer': {
    list: () => ask(api.GET('/v2/credentials/mobile/document-signers', all)),
    create: (iacaId: string) => ask(api.POST('/v2/credentials/mobile/document-signers', { body: { iacaId } })),
    get: (id: string) => ask(api.GET('/v2/credentials/mobile/document-signers/{documentSignerId}', at(id))),
    update: (id: string, body: Schemas['UpdateDocumentSignerRequest']) =>
      ask(api.PUT('/v2/credentials/mobile/document-signers/{documentSignerId}', { ...at(id), body })),
    revoke: (id: string) =>
      ask(api.POST('/v2/credentials/mobile/document-signers/{documentSignerId}/revoke', { ...at(id), body: {} })),
    remove: (id: string) => ask(api.DELETE('/v2/credentials/mobile/document-signers/{documentSignerId}', at(id))),
  },
  'status-list-signer': {
    list: () => ask(api.GET('/v2/credentials/mobile/status-list-signers', all)),
    create: (iacaId: string) => ask(api.POST('/v2/credentials/mobile/status-list-signers', { body: { iacaId } })),
    get: (id: string) => ask(api.GET('/v2/credentials/mobile/status-list-signers/{statusListSignerId}', at(id))),
    update: (id: string, body: Schemas['UpdateDocumentSignerRequest']) =>
      ask(api.PUT('/v2/credentials/mobile/status-list-signers/{statusListSignerId}', { ...at(id), body })),
    revoke: (id: string) =>
      ask(api.POST('/v2/credentials/mobile/status-list-signers/{statusListSignerId}/revoke', { ...at(id), body: {} })),
    remove: (id: string) => ask(api.DELETE('/v2/credentials/mobile/status-list-signers/{statusListSignerId}', at(id))),
  },
} as const

function at(id: string) {
  return { params: { path: { documentSignerId: id, statusListSignerId: id, iacaId: id } } }
}

export const authorities = {
  get: (id: string) => ask(api.GET('/v2/credentials/mobile/iacas/{iacaId}', at(id))),
  update: (id: string, { active }: { active: boolean }) =>
    ask(api.PUT('/v2/credentials/mobile/iacas/{iacaId}', { ...at(id), body: { active } })),
  remove: (id: string) => ask(api.DELETE('/v2/credentials/mobile/iacas/{iacaId}', at(id))),
}
