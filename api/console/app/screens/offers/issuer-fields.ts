import { api, callApi, type Schemas } from '../../kit/api.ts'
import type { Configuration } from '../../kit/configurations.ts'
import type { Field } from '../../kit/form-values.ts'
import { verbatim } from '../../kit/language.ts'
import { can } from '../../kit/session.ts'
import { useRead } from '../../kit/use-read.ts'
import { useViews } from '../../kit/views.ts'
import { offerTexts } from './texts.ts'

type View = Schemas['View']

/** Returns the field of the view, if a view publishes all of the configurations. The empty choice is the tenant itself. */
export function useViewFields(configurations: readonly Configuration[]): Field[] {
  const choices = useViews()
    .filter((view) => configurations.every((each) => publishes(view, each)))
    .map(({ id, name }) => ({ value: id, label: verbatim(name) }))
  if (choices.length === 0) return []
  return [{ name: 'view', kind: 'choice', label: offerTexts.view, hint: offerTexts.viewHint, choices }]
}

function publishes({ configurations }: View, { id, profile }: Configuration): boolean {
  return 'ids' in configurations ? configurations.ids.includes(id) : configurations.profiles.includes(profile)
}

/** Returns the field of the authorization server, if the tenant has one. The empty choice is this service. */
export function useServerFields(): Field[] {
  const servers = useRead(
    async () =>
      can('retrieveAuthorizationServers')
        ? callApi(api.GET('/v1/openid/authorization-servers', { params: { query: { limit: 100 } } }))
        : { data: { data: [] } },
    [],
  )
  const choices = (servers.data?.data ?? []).map(({ id, name }) => ({ value: id, label: verbatim(name) }))
  if (choices.length === 0) return []
  const words = { label: offerTexts.server, hint: offerTexts.serverHint }
  return [{ name: 'authorizationServer', kind: 'choice', ...words, choices }]
}

/** Returns the typed view, unless a later choice of configurations has removed it from the choices. */
export function viewIn([field]: readonly Field[], view: unknown): string | undefined {
  return field?.choices?.find(({ value }) => value === view)?.value
}
