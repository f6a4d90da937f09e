import { isNotNull } from 'drizzle-orm'
import type { BulkIssuanceState, BulkMode, BulkSource } from '../../../shared/domain/issuance/bulk-issuances.ts'
import type { BulkWarning } from '../../../shared/domain/issuance/bulk-warnings.ts'
import type { LinkSignIn } from '../../../shared/domain/issuance/claim-links.ts'
import type { ColumnUse } from '../../../shared/domain/issuance/column-use.ts'
import { boolean, bytes, index, integer, json, primaryKey, table, text, timestamp, uniqueIndex } from '../../columns.ts'
import type { BulkRequest } from '../status/bulks.ts'

/** How the columns of a file become claims. */
export interface BulkColumns {
  /** The paths of claims by column. Null: each column has the path of its name. */
  claims: Record<string, string> | null
  externalId: string
  userId: string | null
  /** The columns whose cells come back in the results. Absent: none. */
  kept?: readonly string[]
  /** Absent until rows are stored. */
  use?: ColumnUse
  /** Values of valid rows that are probably wrong. Absent until rows are stored. */
  warnings?: readonly BulkWarning[]
}

/** The reason why the whole file was refused, or why the issuance ended early. */
export interface BulkFailure {
  code: string
  message: string
}

/** A request to renew all expired claim links of a bulk issuance, with its progress. Times are in milliseconds. */
export interface RenewalOfExpired {
  id: string
  /** `failed`: a configuration or the view of the links was deleted. */
  state: 'running' | 'done' | 'failed'
  /** Links that ended until this time are renewed. */
  requestedAt: number
  /** The end of the renewed links. */
  expiresAt: number
  endedAt?: number
  /** The number of the last row that was checked. */
  row: number
  renewed: number
  /** The results have only the codes of links with one of these ends, because those of the others were received before. */
  endsWithCodes?: number[]
  /** The request, for the audit rows of the renewed links. */
  request: Omit<BulkRequest, 'name'>
}

/** A file of people, from which credentials are issued, with its progress. */
export const bulkIssuances = table(
  'bulk_issuances',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    state: text('state').$type<BulkIssuanceState>().notNull(),
    mode: text('mode').$type<BulkMode>().notNull(),
    /** `person`: there is no file. One claim link was made by a request. */
    source: text('source').$type<BulkSource>().notNull().default('file'),
    configurationIds: json<string[]>('configuration_ids').notNull(),
    format: text('format').$type<'csv' | 'jsonl'>().notNull(),
    columns: json<BulkColumns>('columns').notNull(),
    onDuplicate: text('on_duplicate').$type<'skip' | 'fail'>().notNull(),
    /** Whether it waits for a start after the validation. */
    validateOnly: boolean('validate_only').notNull(),
    /** The time that claim links are valid. Null for the mode `sign`, and so are the other settings of links. */
    linkSeconds: integer('link_seconds'),
    /** The settings of the transaction codes of claim links. Null: wallets ask for no code. */
    transactionCode: json<{ description?: string }>('transaction_code'),
    /** The person who must sign in to collect with a claim link. Null: there is no sign-in. */
    signIn: json<LinkSignIn>('sign_in'),
    /** The view that the offers of claim links name (db/tables/issuance/views.ts). Null: the tenant itself. */
    viewId: text('view_id'),
    /** The results contain the transaction codes until this time. Null: no download of them has begun. */
    codesShownUntil: timestamp('codes_shown_until'),
    /** The last renewal of a claim link. The results have been different since then. */
    renewedAt: timestamp('renewed_at'),
    /** The latest end of a renewed claim link. */
    linksUntil: timestamp('links_until'),
    /** The last request to renew all expired claim links. Null: there was none. */
    linkRenewal: json<RenewalOfExpired>('link_renewal'),
    fileName: text('file_name').notNull(),
    /** The bytes received so far. */
    sizeBytes: integer('size_bytes').notNull(),
    failure: json<BulkFailure>('failure'),
    /**
     * The rows that were read so far, and how many of them can be issued, and not. The erasure of a row reduces all counts but `total`, so
     * that the rest of `total` is the number of erased rows.
     */
    total: integer('total').notNull(),
    valid: integer('valid').notNull(),
    invalid: integer('invalid').notNull(),
    /** The rows that have a credential, and those that could not be signed. */
    done: integer('done').notNull(),
    failed: integer('failed').notNull(),
    /** The number of the last row of the current pass that was processed. After a cancellation: the last row whose claims are removed. */
    progress: integer('progress').notNull(),
    /** The state of the rows that the current pass issues. A retry issues the rows that failed. */
    issues: text('issues').$type<'valid' | 'failed'>().notNull(),
    /** Changes when it is started. A job of an earlier start does nothing. */
    run: integer('run').notNull(),
    /** The start of the current run, and the rows that earlier runs issued, for the rate. */
    runningSince: timestamp('running_since'),
    doneBefore: integer('done_before').notNull(),
    /** The number of persons with rows in it that were erased. The results change with it. */
    erasures: integer('erasures').notNull().default(0),
    /** The id of a client or a person. */
    startedBy: text('started_by').notNull(),
    starter: text('starter').$type<'client' | 'person'>().notNull(),
    /** When it is removed with its rows. Null while it is validated or issued. */
    expiresAt: timestamp('expires_at'),
    createdAt: timestamp('created_at').notNull(),
    endedAt: timestamp('ended_at'),
  },
  (columns) => [
    index('bulk_issuances_page').on(columns.tenantId, columns.source, columns.createdAt, columns.id),
    index('bulk_issuances_expires').on(columns.expiresAt),
    index('bulk_issuances_view').on(columns.tenantId, columns.viewId).where(isNotNull(columns.viewId)),
  ],
)

/** The uploaded file, sealed. It is removed when its rows are stored. */
export const bulkFileChunks = table(
  'bulk_file_chunks',
  {
    tenantId: text('tenant_id').notNull(),
    bulkId: text('bulk_id').notNull(),
    /** The position of the chunk, from 0. */
    position: integer('position').notNull(),
    content: bytes('content').notNull(),
  },
  (columns) => [
    primaryKey({ columns: [columns.bulkId, columns.position] }),
    index('bulk_file_chunks_tenant').on(columns.tenantId),
  ],
)

/** One row of the file. */
export const bulkRows = table(
  'bulk_rows',
  {
    tenantId: text('tenant_id').notNull(),
    bulkId: text('bulk_id').notNull(),
    /** The number of the row from 1, without the header. */
    row: integer('row').notNull(),
    /** `valid` rows wait. `failed` rows could not be signed and keep their claims for a retry. */
    state: text('state').$type<'valid' | 'invalid' | 'done' | 'failed'>().notNull(),
    /** Null for a row without a usable one. */
    externalId: text('external_id'),
    /** The person of the row, if the file names users. */
    userId: text('user_id'),
    /** The claims, sealed. Null when they are not needed any more. */
    sealedClaims: text('sealed_claims'),
    /** The error of the row: the column if there is one, a code and a sentence. */
    errorColumn: text('error_column'),
    code: text('code'),
    message: text('message'),
    credentialId: text('credential_id'),
    /** The credential, sealed. */
    sealedResult: text('sealed_result'),
    /** The cells of the kept columns of a row that can be issued, sealed. The results contain them. Null: no column is kept. */
    sealedKept: text('sealed_kept'),
  },
  (columns) => [
    primaryKey({ columns: [columns.bulkId, columns.row] }),
    uniqueIndex('bulk_rows_external_id').on(columns.bulkId, columns.externalId),
    index('bulk_rows_state').on(columns.bulkId, columns.state, columns.row),
    index('bulk_rows_user').on(columns.tenantId, columns.userId),
  ],
)
