import { findNamedContexts } from '../../../db/repos/credentials/own-contexts.ts'
import { wrongField } from '../../../shared/errors/errors.ts'
import { findProcessingFault } from '../../../shared/formats/check-contexts.ts'
import { credentialsContext } from '../../../shared/formats/json-ld-contexts.ts'
import type { Deps } from '../../deps.ts'

/** Checks the contexts of a credential that is signed directly. Throws `bad_request` for an unknown or conflicting context. */
export async function requireContexts({ db }: Deps, tenantId: string, urls: readonly string[] = []): Promise<void> {
  const others = urls.filter((url) => url !== credentialsContext)
  const { own, unknown } = await findNamedContexts(db.read, tenantId, others)
  const [unknownUrl] = unknown
  if (unknownUrl !== undefined) {
    const param = `payload.@context.${urls.indexOf(unknownUrl)}`
    throw wrongField(param, 'Unknown context. Create the context first: contexts are not fetched.', unknownUrl)
  }
  const fault = own.size === 0 ? undefined : await findProcessingFault(others, own)
  if (fault) throw wrongField('payload.@context', `The contexts conflict with each other: ${fault}`)
}
