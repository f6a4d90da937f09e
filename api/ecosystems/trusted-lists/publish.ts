import { holdShared } from '../../../db/hold.ts'
import { cancelTrustedList } from '../../../db/repos/ecosystems/cancel-trusted-list.ts'
import { findTrustedListConfiguration } from '../../../db/repos/ecosystems/trusted-list-configurations.ts'
import {
  findTrustedListRow,
  insertTrustedList,
  type TrustedListRow,
} from '../../../db/repos/ecosystems/trusted-lists.ts'
import type { Change } from '../../../db/repos/operations/audited.ts'
import { ecosystems } from '../../../db/tables/ecosystems/ecosystems.ts'
import { notFound, Problem } from '../../../shared/errors.ts'
import { createKeyedMutex } from '../../../shared/flow/mutex.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Deps } from '../../deps.ts'
import { getEcosystem } from '../ecosystems/get-ecosystem.ts'
import type { ListWords } from './words.ts'

interface Asked {
  tenantId: string
  ecosystemId: string
  words: ListWords
  deadlineAt: number
}

/**
 * Publishes a list of what is in an ecosystem now. A row is stored, which the signing process numbers and signs; when it does not answer in
 * time, nothing is left behind. Throws `bad_request`, which says what is missing: a configuration, a CA, a signer,
 * somebody to list; and `conflict` for what cannot be listed.
 */
export async function requestTrustedList(deps: Deps, change: Change, asked: Asked): Promise<TrustedListRow> {
  const { tenantId, ecosystemId, words, deadlineAt } = asked
  const { kind, name } = words
  const createdAt = deps.clock.now()
  const row = { id: newOrderedId(createdAt), tenantId, ecosystemId, kind, isAutoPublished: false, createdAt }
  await change(async (tx, tell) => {
    if (!(await holdShared(tx, ecosystems, tenantId, ecosystemId))) throw notFound('ecosystemId', ecosystemId)
    if (!(await findTrustedListConfiguration(tx, tenantId, ecosystemId, kind))) {
      throw new Problem('bad_request', {
        message: `The ecosystem has no configuration of ${name}s: say who publishes them`,
      })
    }
    await insertTrustedList(tx, row)
    tell(tenantId, { id: row.id, ecosystemId })
  })
  try {
    await inTurn(tenantId, async () => {
      if (performance.now() >= deadlineAt) throw new Problem('service_unavailable')
      await deps.keys.call('publishTrustedList', { tenantId, listId: row.id }, { deadlineAt })
    })
  } catch (error) {
    // Whoever changes the row first decides; it may have been published in the last moment.
    if (await cancelTrustedList(deps, row)) throw error
  }
  const list = await findTrustedListRow(deps.db.read, tenantId, row.id)
  if (list?.date) return list
  // What was published may be gone again, with its ecosystem.
  await getEcosystem(deps.db.read, tenantId, ecosystemId)
  throw new Problem('service_unavailable')
}

/**
 * What a tenant publishes at once is asked of the signing process one after the other: a list may take as long as hundreds of other
 * jobs, which others wait for. Whoever came before has the earlier deadline, so that nobody waits here for longer than until their own.
 */
const inTurn = createKeyedMutex()
