import { api, callApi, type Schemas } from '../../kit/api.ts'

export type Signer = Schemas['DocumentSigner'] | Schemas['StatusListSigner'] | Schemas['SdJwtSigner']
export type Authority = Schemas['Iaca']

export const signerKinds = ['document-signer', 'status-list-signer', 'sd-jwt-signer'] as const
export type SignerKind = (typeof signerKinds)[number]
export type Kind = 'iaca' | SignerKind

/** Returns undefined if the text is not a kind. */
export function kindOf(text: string | undefined): Kind | undefined {
  return (['iaca', ...signerKinds] as const).find((kind) => kind === text)
}

/** One page holds all certificates of a kind. */
const all = { params: { query: { limit: 1_000 } } }

export const listAuthorities = () => callApi(api.GET('/v2/credentials/mobile/iacas', all))

/** The operations of signers by kind. The kinds have the same operations at different addresses. */
export const signers = {
  'document-signer': {
    list: () => callApi(api.GET('/v2/credentials/mobile/document-signers', all)),
    create: (iacaId: string) => callApi(api.POST('/v2/credentials/mobile/document-signers', { body: { iacaId } })),
    get: (id: string) => callApi(api.GET('/v2/credentials/mobile/document-signers/{documentSignerId}', at(id))),
    update: (id: string, body: Schemas['UpdateDocumentSignerRequest']) =>
      callApi(api.PUT('/v2/credentials/mobile/document-signers/{documentSignerId}', { ...at(id), body })),
    revoke: (id: string) =>
      callApi(api.POST('/v2/credentials/mobile/document-signers/{documentSignerId}/revoke', { ...at(id), body: {} })),
    remove: (id: string) => callApi(api.DELETE('/v2/credentials/mobile/document-signers/{documentSignerId}', at(id))),
  },
  'status-list-signer': {
    list: () => callApi(api.GET('/v2/credentials/mobile/status-list-signers', all)),
    create: (iacaId: string) => callApi(api.POST('/v2/credentials/mobile/status-list-signers', { body: { iacaId } })),
    get: (id: string) => callApi(api.GET('/v2/credentials/mobile/status-list-signers/{statusListSignerId}', at(id))),
    update: (id: string, body: Schemas['UpdateDocumentSignerRequest']) =>
      callApi(api.PUT('/v2/credentials/mobile/status-list-signers/{statusListSignerId}', { ...at(id), body })),
    revoke: (id: string) =>
      callApi(
        api.POST('/v2/credentials/mobile/status-list-signers/{statusListSignerId}/revoke', { ...at(id), body: {} }),
      ),
    remove: (id: string) =>
      callApi(api.DELETE('/v2/credentials/mobile/status-list-signers/{statusListSignerId}', at(id))),
  },
  'sd-jwt-signer': {
    list: () => callApi(api.GET('/v2/credentials/sd-jwt/signers', all)),
    create: (iacaId: string) => callApi(api.POST('/v2/credentials/sd-jwt/signers', { body: { iacaId } })),
    get: (id: string) => callApi(api.GET('/v2/credentials/sd-jwt/signers/{sdJwtSignerId}', at(id))),
    update: (id: string, body: Schemas['UpdateDocumentSignerRequest']) =>
      callApi(api.PUT('/v2/credentials/sd-jwt/signers/{sdJwtSignerId}', { ...at(id), body })),
    revoke: (id: string) =>
      callApi(api.POST('/v2/credentials/sd-jwt/signers/{sdJwtSignerId}/revoke', { ...at(id), body: {} })),
    remove: (id: string) => callApi(api.DELETE('/v2/credentials/sd-jwt/signers/{sdJwtSignerId}', at(id))),
  },
} as const

function at(id: string) {
  return { params: { path: { documentSignerId: id, statusListSignerId: id, sdJwtSignerId: id, iacaId: id } } }
}

export const authorities = {
  get: (id: string) => callApi(api.GET('/v2/credentials/mobile/iacas/{iacaId}', at(id))),
  update: (id: string, { active }: { active: boolean }) =>
    callApi(api.PUT('/v2/credentials/mobile/iacas/{iacaId}', { ...at(id), body: { active } })),
  remove: (id: string) => callApi(api.DELETE('/v2/credentials/mobile/iacas/{iacaId}', at(id))),
}
