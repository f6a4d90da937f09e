import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import type { User } from '../../../db/repos/issuance/users/users.ts'
import type { BulkColumns } from '../../../db/tables/issuance/bulk-issuances.ts'
import { type ClaimColumn, claimsOfRow, findColumn } from '../../../shared/domain/issuance/bulk-columns.ts'
import type { BulkMode } from '../../../shared/domain/issuance/bulk-issuances.ts'
import type { RowWarning } from '../../../shared/domain/issuance/bulk-warnings.ts'
import type { LinkSignIn } from '../../../shared/domain/issuance/claim-links.ts'
import { type ClaimFault, faultText } from '../../../shared/domain/issuance/claims/claim-faults.ts'
import type { ClaimSources } from '../../../shared/domain/issuance/claims/claim-values.ts'
import type { ClaimNote, KnownConditions } from '../../../shared/domain/issuance/claims/known-faults.ts'
import { mapRow, type RowContent } from '../../../shared/domain/issuance/claims/map-row.ts'
import { keptCellsFault, keptCellsOf } from '../../../shared/domain/issuance/kept-columns.ts'
import { parseClaimPath, readPath } from '../../../shared/formats/claim-path.ts'
import type { TableRow } from '../../../shared/formats/table-file/table.ts'
import { yieldIfBusy } from '../../jobs/yield-if-busy.ts'

/** A fault of a row. */
export interface RowFault {
  column: string | null
  code: string
  message: string
}

export interface CheckedRow {
  row: number
  externalId: string | null
  userId: string | null
  content?: RowContent
  /** The cells of the kept columns, in JSON, of a row with content. */
  kept?: string
  fault?: RowFault
  /** The values of a row with content that are probably wrong. */
  warnings?: RowWarning[]
}

export interface RowRules {
  mode: BulkMode
  signIn: LinkSignIn | null
  /** Each of them must be able to issue a row. The mode `sign` has one. */
  configurations: ConfigurationRow[]
  columns: BulkColumns
  claimColumns: ClaimColumn[]
  /** The time and the authorities while the rows are checked. */
  conditions: KnownConditions
  /** The users that rows name, by id. */
  users: ReadonlyMap<string, User>
}

const maxExternalIdLength = 200

/** Checks rows. Lets other jobs run after each row, and between the configurations of a row. */
export async function checkRows(rules: RowRules, rows: readonly TableRow[]): Promise<CheckedRow[]> {
  const checked: CheckedRow[] = []
  for (const row of rows) {
    checked.push(await checkRow(rules, row))
    await yieldIfBusy()
  }
  return checked
}

/** Checks one row: its ids, and whether its claims can be signed. A duplicate external id is found later. */
async function checkRow(rules: RowRules, { number: row, values, error }: TableRow): Promise<CheckedRow> {
  const { externalId: idColumn, userId: userColumn } = rules.columns
  const unread = { row, externalId: null, userId: null }
  if (error) return { ...unread, fault: { column: null, ...error } }
  const externalId = textOf(readPath(values, [idColumn]))
  if (externalId === undefined || externalId.length > maxExternalIdLength) {
    const message = `The external id must have 1 to ${maxExternalIdLength} characters.`
    return { ...unread, fault: { column: idColumn, code: 'invalid_external_id', message } }
  }
  const userId = userColumn === null ? null : (textOf(readPath(values, [userColumn]))?.toLowerCase() ?? '')
  const user = userId === null ? undefined : rules.users.get(userId)
  if (userId !== null && !user) {
    const fault = { column: userColumn, code: 'unknown_user', message: 'There is no user with this id.' }
    return { row, externalId, userId: null, fault }
  }
  const checked = { row, externalId, userId }
  if (user && cannotSignIn(rules, user)) {
    const message = 'The user has no subject at an authentication provider, and cannot sign in.'
    return { ...checked, fault: { column: userColumn, code: 'user_without_sign_in', message } }
  }
  const kept = readKept(rules.columns, values)
  if (kept.fault) return { ...checked, fault: kept.fault }
  const sources = sourcesOf(rules, values, user)
  const unmatched = findUnmatched(rules, sources)
  if (unmatched) return { ...checked, fault: unmatched }
  const warnings: RowWarning[] = []
  let signed: RowContent | undefined
  for (const configuration of rules.configurations) {
    const canFollow = isPartial(configuration, rules.mode)
    const mapped = mapRow(configuration, sources, { canFollow, conditions: rules.conditions })
    if ('faults' in mapped) return { ...checked, fault: faultOf(rules, mapped.faults) }
    signed ??= mapped.content
    warnings.push(...mapped.doubts.map((doubt) => warningOf(rules, doubt)))
    await yieldIfBusy()
  }
  // The claims of a link are mapped when they are signed, as those of an offer.
  const ofLink = { claims: sources.claims[0] ?? {}, validity: null }
  return { ...checked, ...kept, content: rules.mode === 'links' || !signed ? ofLink : signed, warnings }
}

/** Returns the kept cells of a row, or a fault if they are too large. Returns an empty object if no column is kept. */
function readKept(
  { kept: columns = [] }: BulkColumns,
  values: Record<string, unknown>,
): Pick<CheckedRow, 'kept' | 'fault'> {
  if (columns.length === 0) return {}
  const kept = JSON.stringify(keptCellsOf(columns, values))
  const message = keptCellsFault(kept)
  return message === undefined ? { kept } : { fault: { column: null, code: 'kept_cells_too_large', message } }
}

/** Without a claim that must match, the person who signs in must be the user. */
function cannotSignIn({ signIn }: RowRules, { subjectId }: User): boolean {
  return signIn !== null && signIn.claim === undefined && subjectId === null
}

/** Returns the fault of a row without a value for the claim of the person who signs in. Its link could not be collected. */
function findUnmatched({ signIn, claimColumns }: RowRules, { claims: [own = {}] }: ClaimSources): RowFault | undefined {
  if (signIn?.rowClaim === undefined) return undefined
  const path = parseClaimPath(signIn.rowClaim)?.path ?? []
  if (textOf(readPath(own, path)) !== undefined) return undefined
  return {
    column: findColumn(claimColumns, signIn.rowClaim)?.column ?? null,
    code: 'missing_claim',
    message: `There is no value for ${signIn.rowClaim}, which the sign-in needs.`,
  }
}

/** Whether a claim source adds claims when a wallet collects the credential. It is not called for `sign`. */
export function isPartial({ settings }: ConfigurationRow, mode: BulkMode): boolean {
  return mode === 'links' && settings.claimSourceId !== undefined
}

/** Returns the ids of users that the rows name. */
export function userIdsOf({ userId }: BulkColumns, rows: readonly TableRow[]): string[] {
  if (userId === null) return []
  const ids = rows.flatMap(({ values }) => textOf(readPath(values, [userId]))?.toLowerCase() ?? [])
  return [...new Set(ids)].filter((id) => id.length === idLength)
}

const idLength = 36

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
  return text === '' ? undefined : text
}

/** The claims of the row come first, then those of the user. */
function sourcesOf({ claimColumns }: RowRules, values: Record<string, unknown>, user: User | undefined): ClaimSources {
  const { subjectId = null, providerUrl = null } = user ?? {}
  return {
    claims: [claimsOfRow(claimColumns, values), ...(user ? [user.claims] : [])],
    authenticationProvider: {
      ...(subjectId !== null && { subjectId }),
      ...(providerUrl !== null && { url: providerUrl }),
    },
  }
}

/** Returns all reasons as one fault. A missing value comes first. */
function faultOf({ claimColumns }: RowRules, faults: ClaimFault[]): RowFault {
  const { isMissing = false, mapFrom } = faults.find((each) => each.isMissing) ?? faults[0] ?? {}
  return {
    column: findColumn(claimColumns, mapFrom)?.column ?? null,
    code: isMissing ? 'missing_claim' : 'invalid_claim',
    message: `${faultText(faults)}.`,
  }
}

function warningOf({ claimColumns }: RowRules, { message, mapFrom }: ClaimNote): RowWarning {
  return { column: findColumn(claimColumns, mapFrom)?.column ?? null, message }
}
