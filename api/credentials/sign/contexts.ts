import { findNamedContexts } from '../../../db/repos/credentials/own-contexts.ts'
import { wrongField } from '../../../shared/errors.ts'
import { findProcessingFault } from '../../../shared/formats/check-contexts.ts'
import { credentialsContext } from '../../../shared/formats/json-ld-contexts.ts'
import type { Deps } from '../../deps.ts'

/** The one place that says which contexts a credential may name when it is signed directly. Throws `bad_request`. */
export async function requireContexts({ db }: Deps, tenantId: string, urls: readonly string[] = []): Promise<void> {
  const others = urls.filter((url) => url !== credentialsContext)
  const { own, unknown } = await findNamedContexts(db.read, tenantId, others)
  const [stranger] = unknown
  if (stranger !== undefined) {
    const param = `payload.@context.${urls.indexOf(stranger)}`
    throw wrongField(param, 'Not a context that this service or the tenant has; none is fetched', stranger)
  }
  const fault = own.size === 0 ? undefined : await findProcessingFault(others, own)
  if (fault) throw wrongField('payload.@context', `Do not go together: ${fault}`)
}
