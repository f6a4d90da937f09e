import { api, callApi } from './api.ts'
import type { Field } from './form-values.ts'
import { verbatim } from './language.ts'
import { useRead } from './use-read.ts'

type Choices = NonNullable<Field['choices']>

/** Returns the DIDs of the tenant as choices of a field. The tenant's own DID is the first. */
export function useDidChoices(): Choices {
  const dids = useRead(() => callApi(api.GET('/v1/dids', { params: { query: { limit: 1000 } } })), [])
  return (dids.data?.data ?? []).map(({ did }) => ({ value: did, label: verbatim(did) }))
}
