import { api, callApi, type Schemas } from './api.ts'
import { can } from './session.ts'
import { useRead } from './use-read.ts'

/** The limit of the service. A tenant has fewer views. */
const query = { limit: 100 }

/** Returns the views of the issuer, or none until they are read and for users who may not read them. */
export function useViews(): readonly Schemas['View'][] {
  const views = useRead(
    async () => (can('retrieveViews') ? callApi(api.GET('/v1/views', { params: { query } })) : { data: { data: [] } }),
    [],
  )
  return views.data?.data ?? []
}
