import { holdShared } from '../../../db/hold.ts'
import { cancelTrustedList } from '../../../db/repos/ecosystems/cancel-trusted-list.ts'
import { findTrustedListConfiguration } from '../../../db/repos/ecosystems/trusted-list-configurations.ts'
import {
  findTrustedListRow,
  insertTrustedList,
  type TrustedListRow,
} from '../../../db/repos/ecosystems/trusted-lists.ts'
import type { Change } from '../../../db/repos/operations/audit/audited.ts'
import { ecosystems } from '../../../db/tables/ecosystems/ecosystems.ts'
import { type ListKind, loteTypeIn } from '../../../shared/domain/ecosystems/list-kinds.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import { createKeyedMutex } from '../../../shared/flow/mutex.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Deps } from '../../deps.ts'
import { getEcosystem } from '../ecosystems/get-ecosystem.ts'

interface Input {
  tenantId: string
  ecosystemId: string
  kind: ListKind
  /** The name of the kind in messages. */
  name: string
  deadlineAt: number
}

/**
 * Publishes a list of the current content of an ecosystem. It stores a row, and the signing process numbers and signs the list.
 * Without an answer before the deadline, the row is deleted. Throws `bad_request` if a configuration, a CA, a signer or a
 * participant to list is missing. Throws `conflict` for content that cannot be listed.
 */
export async function requestTrustedList(deps: Deps, change: Change, input: Input): Promise<TrustedListRow> {
  const { tenantId, ecosystemId, kind, name, deadlineAt } = input
  const createdAt = deps.clock.now()
  const row = { id: newOrderedId(createdAt), tenantId, ecosystemId, kind, isAutoPublished: false, createdAt }
  await change(async (tx, record) => {
    if (!(await holdShared(tx, ecosystems, tenantId, ecosystemId))) throw notFound('ecosystemId', ecosystemId)
    if (!(await findTrustedListConfiguration(tx, tenantId, ecosystemId, kind))) {
      throw new Problem('bad_request', {
        message: `The ecosystem has no ${name} configuration. Create one first.`,
      })
    }
    await insertTrustedList(tx, row)
    record(tenantId, { id: row.id, ecosystemId, ...loteTypeIn(kind) })
  })
  try {
    const published = tenantMutex(tenantId, async () => {
      if (performance.now() >= deadlineAt) throw new Problem('service_unavailable')
      await deps.keys.call('publishTrustedList', { tenantId, listId: row.id }, { deadlineAt })
    })
    await deps.withoutSlot(published)
  } catch (error) {
    // The first change of the row wins. If the signing process published the list before the cancellation, the list stays.
    if (await cancelTrustedList(deps, row)) throw error
  }
  const list = await findTrustedListRow(deps.db.read, tenantId, row.id)
  if (list?.date) return list
  // The ecosystem, and the list with it, can be deleted after the publication.
  await getEcosystem(deps.db.read, tenantId, ecosystemId)
  throw new Problem('service_unavailable')
}

/**
 * Publishes one list per tenant at a time. A list can take as long as hundreds of other signing jobs. Earlier requests have earlier
 * deadlines, so that no request waits here longer than its own deadline.
 */
const tenantMutex = createKeyedMutex({ maxWaiting: 50 })
