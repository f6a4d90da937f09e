import {
  assertSchemaCompatibility,
  BULLMQ_MAJOR_VERSION,
  LATEST_SCHEMA_VERSION,
  type PgQueryable,
  runMigrations,
  SchemaMigrationRequiredError,
  SchemaVersionMismatchError,
  UnsupportedPostgresVersionError,
} from 'bullmq'
import { queues } from '../../shared/jobs/definition.ts'
import { innermost, Misconfigured } from '../../shared/process/dependency.ts'
import { takeJobFunction } from './queue-functions.ts'

/** The schema of BullMQ in PostgreSQL. Only migrations create and change it. */
export const queueSchema = 'trustwright_queues'

/** insufficient_privilege and undefined_table */
const [notAllowed, noTable] = ['42501', '42P01']

/**
 * No process reads the events of BullMQ. Without this trigger they are most of its writes, and they keep results of removed jobs. It discards
 * those that functions write without `publish_event`.
 */
const discardEvents = `
  CREATE OR REPLACE FUNCTION ${queueSchema}.discard_event() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
  CREATE TRIGGER discard_event BEFORE INSERT ON ${queueSchema}.event
    FOR EACH ROW EXECUTE FUNCTION ${queueSchema}.discard_event()`
const discardsEvents = `SELECT 1 FROM pg_trigger
  WHERE tgname = 'discard_event' AND tgrelid = to_regclass('${queueSchema}.event')`

/**
 * Each change of a job calls this function, up to five times for a job. That of BullMQ also sends a notification, which wakes a process of the
 * server for each process of the service.
 */
const publishNothing = `
  CREATE OR REPLACE FUNCTION ${queueSchema}.publish_event(p_queue text, p_event text, p_data jsonb) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS 'SELECT 0::bigint'`
const publishesNothing = `SELECT 1 FROM pg_proc
  WHERE oid = to_regprocedure('${queueSchema}.publish_event(text, text, jsonb)') AND provolatile = 'i'`

const hasTakeJob = `SELECT 1 FROM pg_proc WHERE oid = to_regprocedure($1) AND prosrc = $2`
const takeJobNames = [`${queueSchema}.${takeJobFunction.signature}`, takeJobFunction.body]

/**
 * BullMQ creates a sequence of ids at the first job of a queue. The user of a process may use the sequences, but must not be able to create
 * some.
 */
const createSequences = `
  DO $$ BEGIN
    ${queues.map((queue) => `EXECUTE format('CREATE SEQUENCE IF NOT EXISTS ${queueSchema}.%I', ${queueSchema}.job_id_seq_name('${queue}'));`).join('\n    ')}
  END $$`

/** Creates the tables and functions of the queues, or migrates them to those of this version. Leaves those of a later version. */
export async function migrateQueueSchema(client: PgQueryable, address: string): Promise<void> {
  const version = await readVersion(client, address)
  if (version < LATEST_SCHEMA_VERSION) await runMigrations(client, queueSchema)
  await runUnlessFound(client, discardEvents, discardsEvents)
  await runUnlessFound(client, publishNothing, publishesNothing)
  if (!(await isFound(client, hasTakeJob, takeJobNames))) await client.query(takeJobFunction.create(queueSchema))
  await client.query(createSequences)
}

/** Runs a statement if a query finds no row. */
async function runUnlessFound(client: PgQueryable, statement: string, query: string): Promise<void> {
  if (!(await isFound(client, query))) await client.query(statement)
}

async function isFound(client: PgQueryable, query: string, values: string[] = []): Promise<boolean> {
  const { rows } = await client.query(query, values)
  return rows.length > 0
}

/** Throws Misconfigured if the database at `address` has no queues that this version can use. */
export async function requireQueueSchema(client: PgQueryable, address: string): Promise<void> {
  const isMigrated = (await readVersion(client, address)) >= LATEST_SCHEMA_VERSION
  if (!isMigrated || !(await isFound(client, hasTakeJob, takeJobNames))) throw new Misconfigured(withoutQueues(address))
}

/** Returns 0 if the database has no queues. */
async function readVersion(client: PgQueryable, address: string): Promise<number> {
  try {
    return await assertSchemaCompatibility(client, queueSchema)
  } catch (error) {
    if (error instanceof SchemaMigrationRequiredError) return 0
    throw forOperator(error, address)
  }
}

function withoutQueues(address: string): string {
  return `The database at ${address} is not migrated: it lacks the queues of this version. Run \`node db/cli/migrate.ts\` with the same DATABASE_URL.`
}

/** Returns an error with a message of one line, if waiting does not help. */
function forOperator(error: unknown, address: string): unknown {
  if (error instanceof SchemaVersionMismatchError)
    return new Misconfigured(
      `The queues in the database at ${address} are of BullMQ ${error.minimumClientVersion}, and this version has BullMQ ${BULLMQ_MAJOR_VERSION}. Start a later version.`,
    )
  if (error instanceof UnsupportedPostgresVersionError)
    return new Misconfigured(
      `The database at ${address} is of PostgreSQL ${error.serverVersion}. Queues need version ${error.minimumVersion} or newer.`,
    )
  if (codeOf(error) === notAllowed)
    return new Misconfigured(
      `The user of DATABASE_URL may not use the schema ${queueSchema} of the database at ${address}. Grant it (docs/installation.md).`,
    )
  return error
}

/** Returns true for the error of a statement if the database has no queues, or if the user may not use them. */
export function isWithoutQueues(error: unknown): boolean {
  return [notAllowed, noTable].some((code) => code === codeOf(error))
}

function codeOf(error: unknown): unknown {
  const cause = innermost(error)
  return cause instanceof Error && 'code' in cause ? cause.code : undefined
}
