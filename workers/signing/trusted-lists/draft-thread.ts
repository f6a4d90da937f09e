import { setPriority } from 'node:os'
import { type Database, openDatabase } from '../../../db/client.ts'
import type { TrustedListConfiguration } from '../../../db/repos/ecosystems/trusted-list-configurations.ts'
import { answerInputs } from '../../../shared/threads/answer-inputs.ts'
import { type DraftSigning, signedList } from './draft.ts'

/** The next list of an ecosystem. Its key stays in this process. */
export interface ListToDraft extends DraftSigning {
  databaseUrl: string
  configuration: TrustedListConfiguration
}

/**
 * Whatever else runs on the machine goes first: who asks for a list of 10,000 certificates waits a little longer, and nobody else. On
 * Linux a thread has a priority of its own; elsewhere this would be that of the process.
 */
const lowPriority = 15
if (process.platform === 'linux') setPriority(lowPriority)

/** A thread that drafts one list after the other, of one database; null for what it cannot. */
answerInputs(
  (asked: ListToDraft) => draft(asked).catch(() => null),
  // A large list has memory of its own. A small one lies in the pool of Node.js, which cannot be handed over.
  (list) => (list && list.length > Buffer.poolSize ? [list.buffer as ArrayBuffer] : []),
)

/** Connections end soon after the work: at rest there are none. */
const connectedMs = 1_000
let db: Database | undefined
let ending: NodeJS.Timeout | undefined

async function draft({ databaseUrl, configuration, signer, date }: ListToDraft): Promise<Buffer> {
  clearTimeout(ending)
  db ??= openDatabase(databaseUrl, { survives: 'crash' })
  try {
    return await signedList(db.read, configuration, { signer, date })
  } finally {
    ending = setTimeout(disconnect, connectedMs)
  }
}

function disconnect(): void {
  db?.close().catch(() => undefined)
  db = undefined
}
