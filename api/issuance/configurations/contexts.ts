import type { Writer } from '../../../db/client.ts'
import { holdContexts } from '../../../db/repos/credentials/contexts.ts'
import { findNamedContexts } from '../../../db/repos/credentials/own-contexts.ts'
import { wrongField } from '../../../shared/errors.ts'
import { findProcessingFault } from '../../../shared/formats/check-contexts.ts'
import type { Deps } from '../../deps.ts'

/**
 * Checks the JSON-LD contexts that a configuration names: each is known, and the tenant's own go together with the others.
 * Returns what holds the tenant's own in the transaction that names them. Throws `bad_request`.
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
  if (fault) throw wrongField('contexts', `Do not go together: ${fault}`)
  return async (tx) => {
    // One that was deleted since is not the one that was checked, even where another has its URL by now.
    if (!(await holdContexts(tx, tenantId, ids))) throw notKnown(urls.findIndex((url) => own.has(url)))
  }
}

function notKnown(at: number, url?: string) {
  return wrongField(`contexts.${at}`, 'Not a context that this service or the tenant has; none is fetched', url)
}
