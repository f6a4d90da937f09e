import type { Database } from '../client.ts'
import { openPostgresValues } from './postgres-values.ts'
import { openSqliteValues } from './sqlite-values.ts'
import type { QueueValues } from './values.ts'

export function openQueueValues(db: Database): QueueValues {
  return db.postgres ? openPostgresValues(db.postgres) : openSqliteValues(db)
}
