import type { Writer } from '../../../db/client.ts'
import { holdContexts } from '../../../db/repos/credentials/contexts.ts'
import { findNamedContexts } from '../../../db/repos/credentials/own-contexts.ts'
import { wrongField } from '../../../shared/errors/errors.ts'
import { findProcessingFault } from '../../../shared/formats/check-contexts.ts'
import type { Deps } from '../../deps.ts'

/**
 * Checks the JSON-LD contexts of a configuration. Each context must be known, and the tenant's contexts must be
 * compatible with the others. Returns a function that locks the tenant's contexts in the transaction that stores the
 * configuration. Throws `bad_request`.
 */
export async function checkConfigurationContexts(
  { db }: Deps,
  tenantId: string,
  urls: readonly string[] = [],
): Promise<(tx: Writer) => Promise<void>> {
  const { own, ids, unknown } = await findNamedContexts(db.read, tenantId, urls)
  const [stranger] = unknown
  if (stranger !== undefined) throw notKnown(urls.indexOf(stranger), stranger)
  if (ids.length === 0) return async () => undefined
  const fault = await findProcessingFault(urls, own)
  if (fault) throw wrongField('contexts', `The contexts conflict: ${fault}`)
  return async (tx) => {
    // A context that was deleted after the check is refused, even if another context has its URL now.
    if (!(await holdContexts(tx, tenantId, ids))) throw notKnown(urls.findIndex((url) => own.has(url)))
  }
}

function notKnown(at: number, url?: string) {
  return wrongField(
    `contexts.${at}`,
    'Unknown context. Use a context of this service or create one for the tenant. Contexts are not fetched.',
    url,
  )
}
