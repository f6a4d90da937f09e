import { api, callApi } from './api.ts'
import type { Field } from './form-values.ts'
import { verbatim } from './language.ts'
import { can } from './session.ts'
import { useRead } from './use-read.ts'

type Dids = { data: readonly { did: string }[] }
type Choices = NonNullable<Field['choices']>

/** Returns the DIDs of the tenant as choices of a field. The tenant's own DID is the first. Returns none to users who may not read them. */
export function useDidChoices(): Choices {
  const read = () => callApi(api.GET('/v1/dids', { params: { query: { limit: 1000 } } }))
  const dids = useRead<Dids>(() => (can('retrieveDids') ? read() : Promise.resolve({ data: { data: [] } })), [])
  return (dids.data?.data ?? []).map(({ did }) => ({ value: did, label: verbatim(did) }))
}
