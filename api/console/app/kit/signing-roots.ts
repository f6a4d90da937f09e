import { api, callApi, type Schemas } from './api.ts'
import { texts } from './language.ts'

export const rootTexts = texts('root')

export type SigningRoot = Schemas['SigningRoots']['data'][number]

/** Reads which IACAs sign now. `iacaId` is the IACA that a configuration names. */
export const readSigningRoots = (iacaId?: string) =>
  callApi(api.GET('/v1/overview/signing-roots', { params: { query: { ...(iacaId !== undefined && { iacaId }) } } }))
