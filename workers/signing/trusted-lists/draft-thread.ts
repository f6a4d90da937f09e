import { setPriority } from 'node:os'
import { type Database, openDatabase } from '../../../db/client.ts'
import type { TrustedListConfiguration } from '../../../db/repos/ecosystems/trusted-list-configurations.ts'
import { answerInputs } from '../../../shared/threads/answer-inputs.ts'
import { nextPayload } from './draft.ts'

/** The next list of an ecosystem. */
export interface ListToDraft {
  databaseUrl: string
  configuration: TrustedListConfiguration
  date: Date
}

/**
 * The thread has a low priority, so that a list of 10,000 certificates delays no other work. On Linux a thread has its own priority. On other
 * systems this would set the priority of the process.
 */
const lowPriority = 15
if (process.platform === 'linux') setPriority(lowPriority)

/** Builds the payloads of the lists of one database, one at a time. Answers null if a list cannot be drafted. */
answerInputs(
  (input: ListToDraft) => draft(input).catch(() => null),
  // A large list has its own memory, which can be transferred. A small list is in the shared pool of Node.js.
  (payload) => (payload && payload.length > Buffer.poolSize ? [payload.buffer as ArrayBuffer] : []),
)

/** The database is closed after this time without work. */
const idleMs = 1_000
let db: Database | undefined
let ending: NodeJS.Timeout | undefined

async function draft({ databaseUrl, configuration, date }: ListToDraft): Promise<Buffer> {
  clearTimeout(ending)
  db ??= openDatabase(databaseUrl, { survives: 'crash' })
  try {
    return await nextPayload(db.read, configuration, date)
  } finally {
    ending = setTimeout(disconnect, idleMs)
  }
}

function disconnect(): void {
  db?.close().catch(() => undefined)
  db = undefined
}
