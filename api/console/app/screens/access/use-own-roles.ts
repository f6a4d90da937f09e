import { api, callApi } from '../../kit/api.ts'
import { useRead } from '../../kit/use-read.ts'

/** Returns the names of the roles that the tenant defines. Undefined until they are loaded. */
export function useOwnRoles(): readonly string[] | undefined {
  return useRead(() => callApi(api.GET('/v1/settings')), []).data?.roles.map(({ name }) => name)
}
