import { z } from 'zod'
import { claimLinkStates } from '../../../db/repos/issuance/claim-links/listed-claim-links.ts'
import { bulkModes, bulkSources, bulkStates, maxBulkColumns } from '../../../shared/domain/issuance/bulk-issuances.ts'
import { parseClaimPath } from '../../../shared/formats/claim-path.ts'
import { Uploader } from '../../access/uploader.ts'
import { described, exampleId, idOf, named, shownIdOf, Timestamp, withoutExample, YesOrNo } from '../../http/fields.ts'
import { PageQuery } from '../../http/page.ts'
import { ShownTransactionCode, ViewId } from '../offers/schemas.ts'
import { BulkWarningView, ColumnUseView, KeepColumns } from './column-schemas.ts'
import { jsonField, LinkLifetime, LinkSignInField, TransactionCode } from './link-fields.ts'
import { LinkRenewalView, rowCount } from './link-schemas.ts'

const Column = z.string().min(1).max(200)

const ClaimColumns = z
  .record(
    Column,
    z
      .string()
      .refine(
        (path) => parseClaimPath(path)?.source === 'claims',
        'Must be the path of a claim such as claims.given_name',
      ),
  )
  .refine((columns) => Object.keys(columns).length <= maxBulkColumns, `Must have at most ${maxBulkColumns} columns`)

const yesOrNo = (about: string) =>
  described(YesOrNo.default('false'), about, 'true').transform((text) => text === 'true')

const Mode = named(
  'BulkMode',
  '`sign`: each row becomes a signed credential without a key of a holder. `links`: each row becomes a claim link',
  z.enum(bulkModes),
)

const isUuid = (id: string) => z.uuid().safeParse(id).success

/** A form has one part for each id. */
const ConfigurationIds = z.preprocess(
  (sent) => (typeof sent === 'string' ? [sent] : sent),
  z
    .array(z.string())
    .min(1)
    .max(100)
    .refine(
      (ids) => ids.every(isUuid),
      'Must be the id of one credential configuration, or several parts with one id each',
    ),
)

const Duplicates = named(
  'BulkDuplicates',
  'What a repeated external id means. `fail` refuses the whole file, `skip` only the repeated row',
  z.enum(['fail', 'skip']),
)

const BulkFields = z.object({
  mode: described(Mode, 'What each row becomes', 'sign'),
  configurationIds: described(
    ConfigurationIds,
    'The ids of the credential configurations, each in its own part. The mode `sign` takes one configuration whose credentials are not bound to a key of the holder',
    [exampleId('compact configuration')],
  ),
  externalId: described(
    Column,
    'The column with your id of each row. The results name it. It must be different in each row',
    'student_number',
  ),
  columns: described(
    jsonField(ClaimColumns).optional(),
    'The path of a claim for each column, in JSON. Other columns are ignored. Absent: the name of each column is the path of its claim',
    '{"Given name":"claims.given_name","Family name":"claims.family_name"}',
  ),
  userIdColumn: Column.optional().describe('The column with the id of the user of each row, if the people are users'),
  keepColumns: withoutExample(KeepColumns.optional()).describe(
    'The columns whose cells come back in the results, each in its own part, such as `email`. At most 20, with 4,000 bytes in each row. They are sealed, and deleted with the bulk issuance',
  ),
  validateOnly: yesOrNo('`true`: nothing is issued before a start'),
  onDuplicate: Duplicates.default('fail').describe(
    'What a repeated external id means. `fail` refuses the whole file, `skip` only the repeated row. Default: `fail`',
  ),
  expiresIn: jsonField(LinkLifetime)
    .optional()
    .describe(
      'Mode `links`: how long the links are valid, in JSON: `{"days":30}`. From 1 hour to 365 days. Default: 30 days',
    ),
  transactionCode: jsonField(TransactionCode)
    .optional()
    .describe(
      'Mode `links`: if set, the holder must enter a six-digit code. JSON with a description for the holder: `{"description":"In your letter"}`, or `true`',
    ),
  view: ViewId.optional().describe(
    'Mode `links`: the view of the credential issuer that the offers of the links name. It must publish all configurations',
  ),
  signIn: jsonField(LinkSignInField)
    .optional()
    .describe(
      'Mode `links`: if set, the holder must sign in at the authentication provider of the tenant. `true`, or JSON with a claim of the person that must equal a claim of the row: `{"claim":"email"}`. Not together with `transactionCode`',
    ),
})

export const NewBulkIssuance = BulkFields.superRefine(({ mode, configurationIds, ...ofLinks }, { addIssue }) => {
  const refuse = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message })
  if (ofLinks.signIn && ofLinks.transactionCode) refuse('signIn', 'Not possible together with transactionCode')
  if (mode === 'links') return
  if (configurationIds.length > 1) refuse('configurationIds', 'Must be one id. Several need the mode links')
  for (const name of ['expiresIn', 'transactionCode', 'signIn', 'view'] as const) {
    if (ofLinks[name] !== undefined) refuse(name, 'Needs the mode links')
  }
})

const Source = named(
  'BulkSource',
  '`file`: an uploaded file of people. `person`: one claim link, made by a request without a file',
  z.enum(bulkSources),
)

export const BulkQuery = PageQuery.extend({
  source: Source.default('file').describe(
    'Returns the bulk issuances of files, or the claim links for one person. Default: `file`',
  ),
  order: named('BulkOrder', 'The order of the bulk issuances', z.enum(['oldest', 'newest'])).default('oldest'),
})

export const AcceptedBulkIssuance = named(
  'AcceptedBulkIssuance',
  'A bulk issuance whose file was received',
  z.object({ id: idOf('bulk issuance') }),
)

const State = named(
  'BulkState',
  '`receiving`: the file is being uploaded. `validating`: its rows are checked. `ready`: it waits for a start. `running`: its rows are issued. `done`: the last row was issued. `failed`: the file was refused',
  z.enum(bulkStates),
)

const LinkCounts = named(
  'LinkCounts',
  'The claim links of a bulk issuance by state',
  z.object({
    open: rowCount('The links that were not opened', 12),
    opened: rowCount('The links with an offer, of which no credential is collected', 2),
    collected: rowCount('The links with which a credential was collected', 4),
    expired: rowCount('The links that were not collected before their end', 0),
    revoked: rowCount('The links that were revoked', 1),
  }),
)

const LinkLifetimeView = named(
  'LinkLifetime',
  'The time that claim links are valid',
  z.object({
    days: z.number().int().describe('The whole days'),
    hours: z.number().int().describe('The rest of the time, from 0 to 23'),
  }),
)

const LinkSignInView = named(
  'LinkSignIn',
  'The sign-in that a claim link requires',
  z.object({
    claim: z.string().optional().describe('The claim of the person who signs in'),
    rowClaim: z.string().optional().describe('The path of the claim of the row that must be equal'),
    acceptUnverified: z
      .literal(true)
      .optional()
      .describe('An email address or a telephone number that the provider has not verified can match'),
  }),
)

const BulkFailureView = named(
  'BulkFailure',
  'The reason why a bulk issuance was refused or paused',
  z.object({
    code: z.string().describe('The code of the reason'),
    message: z.string().describe('The reason'),
  }),
)

export const BulkIssuanceView = named(
  'BulkIssuance',
  'A file of people and the progress of their credentials',
  z.object({
    id: idOf('bulk issuance'),
    state: described(State, 'The current state', 'ready'),
    mode: described(Mode, 'What each row becomes', 'sign'),
    source: described(Source, 'The origin of the rows', 'file'),
    configurationIds: described(z.array(z.string()), 'The credential configurations', [
      exampleId('compact configuration'),
    ]),
    fileName: described(z.string(), 'The name of the file', 'people.csv'),
    sizeBytes: rowCount('The size of the file as it was sent', 1_284),
    total: rowCount('The rows that were read so far', 20),
    valid: rowCount('The rows that can be issued', 19),
    invalid: rowCount('The rows with an error', 1),
    done: rowCount('The rows that have a credential or a claim link', 0),
    failed: rowCount('The rows that could not be signed', 0),
    erased: rowCount('The rows of people who were erased. No other count but `total` includes them', 0),
    columns: withoutExample(ColumnUseView)
      .optional()
      .describe(
        'The columns of the rows that were read so far. Only in the answer for one bulk issuance, and only for roles that read the rows. Each list has at most 50 names',
      ),
    warnings: withoutExample(z.array(BulkWarningView))
      .optional()
      .describe(
        'Values of valid rows that are probably wrong, at most 20 kinds. Only in the answer for one bulk issuance, and only for roles that read the rows. Absent if there are none',
      ),
    links: withoutExample(LinkCounts)
      .optional()
      .describe(
        'Mode `links`: the claim links by state. Only in the answer for one bulk issuance. With many links, the counts can be some seconds old',
      ),
    expiresIn: withoutExample(LinkLifetimeView).optional().describe('Mode `links`: how long the links are valid'),
    transactionCode: withoutExample(ShownTransactionCode)
      .optional()
      .describe('Mode `links`: present if the holder must enter a code'),
    signIn: withoutExample(LinkSignInView).optional().describe('Mode `links`: present if the holder must sign in'),
    view: withoutExample(shownIdOf('view'))
      .optional()
      .describe('Mode `links`: the view that the offers of the links name. Absent: the issuer of the tenant itself'),
    keepColumns: withoutExample(z.array(z.string()))
      .optional()
      .describe('The columns whose cells come back in the results'),
    linkRenewal: withoutExample(LinkRenewalView)
      .optional()
      .describe('Mode `links`: the last renewal of all expired links, if there was one'),
    perSecond: z.number().optional().describe('The rows per second of the current run'),
    etaSeconds: z.number().int().optional().describe('The seconds until the last row, at this rate'),
    failure: withoutExample(BulkFailureView)
      .optional()
      .describe(
        'Why the whole file was refused, or why the service paused the issuance. In the state `ready`: why a start would pause it now. Lists do not have that reason',
      ),
    startedBy: Uploader,
    createdAt: Timestamp.describe('When the upload began'),
    endedAt: withoutExample(Timestamp).optional().describe('When it ended'),
  }),
)

const LinkState = named('ClaimLinkState', 'The state of a claim link', z.enum(claimLinkStates))

export const ResultQuery = z.object({
  afterRow: z
    .string()
    .regex(/^\d{1,9}$/, 'Must be the number of a row')
    .transform(Number)
    .default(0)
    .meta({ description: 'Returns the results after this row, to continue an interrupted download', type: 'integer' }),
  state: LinkState.optional().describe(
    'Mode `links`: returns only the links in this state, with their times and without transaction codes',
  ),
})
