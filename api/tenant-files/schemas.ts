import { z } from 'zod'
import { described, exampleId, idOf, named, secret, Timestamp, withoutExample } from '../http/fields.ts'
import { PageQuery } from '../http/page.ts'

const examplePath = 'claim-sources/register'
const exampleObject = {
  name: 'Student register',
  url: { $var: 'REGISTER_URL' },
  authorization: { type: 'api-key', value: { $secret: 'REGISTER_KEY' } },
}

/** The most objects in a request. */
const maxObjects = 5_000

/** The most objects of a tenant that files can describe, with those that have no file. */
export const maxObjectsOfTenant = 20_000

/** The most objects that an apply changes: those of its files, and all others of the tenant, which it deletes. */
const maxChangedObjects = maxObjects + maxObjectsOfTenant

const Objects = z
  .record(z.string().max(400), z.record(z.string().max(200), z.unknown()))
  .refine((objects) => Object.keys(objects).length <= maxObjects, `Must have at most ${maxObjects} objects`)

const objects = described(
  Objects,
  'The content of each file, by its path without the extension. A member can be `{"$ref": "PATH"}` for the id of another object, `{"$var": "NAME"}` for a variable, and a secret is `{"$secret": "NAME"}`. `movedFrom` is the earlier path of a file',
  { [examplePath]: exampleObject },
)

const format = z.literal(1).describe('The version of the format')

const Values = z.record(z.string().max(100), z.string().max(10_000))

export const FilesView = named('TenantFiles', 'The configuration of a tenant as files', z.object({ format, objects }))

export const FilesBody = named(
  'TenantFilesToCompare',
  'The wanted configuration of a tenant',
  z.object({
    format,
    objects,
    variables: described(Values.default({}), 'The values of variables', {
      REGISTER_URL: 'https://register.example.org',
    }),
    secrets: secret(described(Values.default({}), 'The values of secrets', { REGISTER_KEY: 'a-key-of-the-source' })),
    prune: z.boolean().default(false).describe('Deletes objects that files made, and that have no file any more'),
    adopt: z
      .boolean()
      .default(false)
      .describe('Lets files change objects that were not made by files and that have the path of a file'),
    allowDestroy: z.boolean().default(false).describe('Allows the deletion of authorities'),
  }),
)

export type TenantFiles = z.output<typeof FilesBody>

const basedOn = described(
  z.record(z.string().max(400), z.string().max(100).nullable()),
  'The versions of the compared objects, by path. Null for an object that does not exist',
  { [examplePath]: null },
)

const digest = described(
  z.string(),
  'The SHA-256 in base64url of the files with their variables, of the options, and of an HMAC of the secrets',
  '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU',
)

/** Examples show an apply with one request, which has no paths. */
const madePaths = withoutExample(z.array(z.string().max(400)))

export const ApplyBody = FilesBody.extend({
  basedOn: basedOn.describe('The `basedOn` of the plan'),
  digest: digest
    .max(100)
    .optional()
    .describe('The `digest` of the plan. Other files than those of the plan are refused'),
  maxChanges: described(
    z.int().min(1).max(maxObjects).optional(),
    'The most changes that this request makes. The default is all of them. To make the others, send the request again with the `madePaths` of the response',
    1000,
  ),
  madePaths: madePaths
    .max(maxChangedObjects)
    .default([])
    .describe('The `madePaths` of the last response, to continue an apply of the same plan'),
})

export type ApplyInput = z.output<typeof ApplyBody>

const Change = named(
  'PlannedChange',
  'A change of one object',
  z.object({
    op: named(
      'ChangeOperation',
      '`replace` deletes the object and creates it again. `adopt` and `move` change only the path of the file of an object',
      z.enum(['create', 'update', 'replace', 'adopt', 'move', 'delete']),
    ),
    kind: described(z.string(), 'The kind of the object', 'claim source'),
    path: described(z.string(), 'The path of the file without the extension', examplePath),
    fields: z
      .array(
        z.object({
          path: described(
            z.string(),
            'The dotted path of the member. An item of a participant that is added or removed has the path of its list',
            'url',
          ),
          from: z.unknown().optional().describe('The value before the change. Absent for a new member'),
          to: z.unknown().optional().describe('The value after the change. Absent for a removed member'),
        }),
      )
      .describe('The members that change. Secrets are masked'),
    isDestructive: z.boolean().describe('Whether an object is deleted'),
    why: described(z.string(), 'The reason for the change', 'The file is new'),
  }),
)

const pending = described(
  z.array(z.string()),
  'The paths of files whose objects exist, and whose keys are being created',
  [],
)

export const PlanView = named(
  'TenantFilesPlan',
  'The changes that make the tenant equal to its files',
  z.object({
    basedOn,
    digest,
    changes: z.array(Change).describe('The changes in their order. Empty if there is nothing to do'),
    pending,
  }),
)

export type PlannedChange = z.output<typeof Change>

export const ApplyView = named(
  'AppliedTenantFiles',
  'The changes that were made',
  z.object({
    digest,
    changes: z.array(Change).describe('The changes that this request made'),
    pending,
    remaining: described(z.int(), 'The number of changes that are left, because `maxChanges` was reached', 0),
    madePaths: madePaths.optional().describe('Send it to continue. Absent if no change is left'),
  }),
)

export const SchemasView = named(
  'TenantFileSchemas',
  'The schemas of the files of a tenant',
  z.object({
    schemas: described(
      z.record(z.string(), z.record(z.string(), z.unknown())),
      'The JSON Schema (draft 2020-12) of each kind, by the path of its files. A `*` is a name',
      { 'webhooks/*': { title: 'webhook', type: 'object' } },
    ),
  }),
)

export const ManagedObjectsQuery = PageQuery.extend({
  resource: z
    .string()
    .max(400)
    .optional()
    .meta({
      description: 'Lists only the object at this path, such as `/v1/webhooks/{webhookId}`',
      examples: [`/v1/webhooks/${exampleId('webhook')}`],
    }),
})

export const ManagedObjectView = z.object({
  id: idOf('managed object'),
  kind: described(z.string(), 'The kind of the object', 'webhook'),
  name: described(z.string(), 'The name of the file, without folder and extension', 'student-register'),
  resource: described(z.string(), 'The path of the object', `/v1/webhooks/${exampleId('webhook')}`).optional(),
  isLocked: z.boolean().describe('Whether only an apply can change the object (`lockManagedObjects` of the tenant)'),
  digest: digest.describe('The digest of the files that changed the object last'),
  appliedAt: Timestamp.describe('The time of the last apply that changed the object'),
})
