import type { z } from 'zod'
import { apiVersion, managementApiVersion } from './api-version.ts'
import { defaultBodyLimitBytes } from './body.ts'
import { acceptsIdempotencyKey, idempotencyKeyParameter } from './idempotency.ts'
import { isMultipart, type Multipart } from './multipart/multipart.ts'
import type { JsonSchema } from './openapi-names.ts'
import { collectResponses, errorSchemas, type Responses } from './openapi-responses.ts'
import { collectSchemas, type DocumentedSchema, type Schemas } from './openapi-schemas.ts'
import { printWebhooks, type WebhookDescription } from './openapi-webhooks.ts'
import type { Access, Needs, OperatorAccess, Route } from './route.ts'

const securitySchemes = {
  clientCredentials: {
    type: 'oauth2',
    description: 'A management client gets a token with its id and secret, and sends it with every request',
    flows: { clientCredentials: { tokenUrl: '/oauth/token', scopes: {} } },
  },
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A management token of `POST /oauth/token`. The client needs one of the roles of the operation',
  },
  holderToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The access token of a wallet from `POST /v1/oauth/token`. A token that is bound to a key is sent with the scheme `DPoP`',
  },
}

const description = [
  'Issues verifiable credentials to wallets over OpenID4VCI and manages trusted lists.',
  `The interface has version ${apiVersion}. Its management API has version ${managementApiVersion}.`,
  'Log in with the id and secret of a client (Authorize) to try operations with their example bodies. The page replaces example ids ' +
    'by ids of the tenant. It also uses the session of the console. The groups are in the order of typical use.',
  'Every response has `X-Request-Id`, which is the id of the request in the log, and `X-Api-Version`. An operation ignores unknown ' +
    'members of a body or a query and lists them in `X-Ignored-Fields`.',
  'A PUT replaces a resource: a member that the body omits gets its default. Secrets stay, and so do members whose description ' +
    'says so. `X-Reset-Fields` lists the members that the PUT reset. `?partial=true` keeps omitted members.',
  'A POST that creates something accepts `Idempotency-Key`. If you repeat the request with the same key within 24 hours, you get the ' +
    'first answer again with `Idempotency-Replayed: true`, and nothing is created twice.',
].join(' ')

export interface Reference {
  /** The value of `x-product-version`. */
  productVersion: string
  /** The groups of operations, in the order of typical use. */
  tags?: readonly { name: string; description: string }[]
  /** The requests that the service sends. */
  webhooks?: readonly WebhookDescription[]
}

/** Prints the OpenAPI 3.1 document of all documented routes, group by group. */
export function printOpenApi(routes: readonly Route[], reference: Reference): object {
  const { productVersion, tags = [], webhooks = [] } = reference
  const documented = inOrderOf(tags, routes).filter(({ undocumented }) => !undocumented)
  const schemas = collectSchemas(documented, webhooks)
  const responses = collectResponses(schemas)
  const paths: Record<string, Record<string, object>> = {}
  for (const route of documented) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, schemas, responses) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trustwright',
      version: apiVersion,
      'x-product-version': productVersion,
      description,
      contact: { name: 'The operator of this service' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The tenant of the host' }],
    tags,
    paths,
    ...(webhooks.length > 0 && { webhooks: printWebhooks(webhooks, schemas) }),
    components: {
      securitySchemes,
      schemas: { ...errorSchemas, ...schemas.components },
      responses: responses.components,
    },
  }
}

function inOrderOf(tags: readonly { name: string }[], routes: readonly Route[]): Route[] {
  const positions = new Map(tags.map(({ name }, position) => [name, position]))
  const positionOf = ({ tag }: Route) => positions.get(tag) ?? tags.length
  return [...routes].sort((a, b) => positionOf(a) - positionOf(b))
}

const compactJwe: DocumentedSchema = {
  schema: {
    type: 'string',
    description: 'The same JSON in a compact JWE, encrypted to the key of `credential_request_encryption`',
  },
  example: 'eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTI1NkdDTSJ9..aXY.Y2lwaGVydGV4dA.dGFn',
}

function operationOf(route: Route, schemas: Schemas, responses: Responses): object {
  return {
    operationId: route.operation,
    summary: route.summary,
    ...(route.deprecated && { deprecated: true }),
    description: descriptionOf(route),
    tags: [route.tag],
    security: securityOf(route.access),
    ...(route.needs && { 'x-needs': route.needs }),
    ...(route.unique && { 'x-unique': route.unique }),
    ...parametersOf(route, schemas),
    ...requestBodyOf(route, schemas),
    responses: responses.of(route),
  }
}

function descriptionOf({ access, host, event, needs = {}, unique = [] }: Route): string {
  const who = {
    anyone: () => 'Public.',
    wallet: () => "For wallets, with the access token of the tenant's token endpoint.",
    operators: ({ roles, permissions = [] }: OperatorAccess) =>
      [`Roles: ${namesOf(roles)}.`, ...(permissions.length > 0 ? [`Permission: ${namesOf(permissions)}.`] : [])].join(
        ' ',
      ),
  }
  return [
    access.kind === 'operators' ? who.operators(access) : who[access.kind](),
    ...(host === 'platform' ? ['Served on the platform host.'] : []),
    ...Object.entries(needs).map(([param, members]) => `Needs: ${textOf(members)} in the object of \`${param}\`.`),
    ...(unique.length > 0 ? [`Unique in the list: ${unique.map((name) => `\`${name}\``).join(' with ')}.`] : []),
    ...(event ? [`Events: \`${event}_START\`, \`_SUCCESS\`, \`_FAIL\`.`] : []),
  ].join(' ')
}

function namesOf(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

function textOf(members: Needs[string]): string {
  const quote = (value: unknown) => `\`${value}\``
  return Object.entries(members)
    .map(([name, values]) => `${quote(name)} is ${values.map(quote).join(' or ')}`)
    .join(' and ')
}

function securityOf({ kind }: Access): object[] {
  if (kind === 'operators') return [{ clientCredentials: [] }, { bearerAuth: [] }]
  return kind === 'wallet' ? [{ holderToken: [] }] : []
}

function parametersOf(route: Route, schemas: Schemas): { parameters?: object[] } {
  const { method, params, query, needsHeader, acceptsHeader } = route
  const parameters = (schema: z.ZodType | undefined, place: 'path' | 'query') =>
    (schema ? schemas.membersOf(schema) : []).map(({ name, required, schema: { description, ...rest } }) => ({
      name,
      in: place,
      required: place === 'path' || required,
      ...(description ? { description } : {}),
      schema: rest,
    }))
  const headers = [
    ...(needsHeader ? [headerOf(needsHeader, true)] : []),
    ...(acceptsHeader ? [headerOf(acceptsHeader, false)] : []),
    ...(method === 'PUT' ? [ifMatch] : []),
    ...(acceptsIdempotencyKey(route) ? [idempotencyKeyParameter] : []),
  ]
  const all = [...parameters(params, 'path'), ...parameters(query, 'query'), ...headers]
  return all.length > 0 ? { parameters: all } : {}
}

function headerOf({ name, description, example }: NonNullable<Route['needsHeader']>, required: boolean): object {
  return { name, in: 'header', required, description, schema: { type: 'string' }, example }
}

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the resource as you read it. If the resource has another version, nothing changes and the response is 412. Proxies must not turn it into a weak tag',
  schema: { type: 'string' },
}

function requestBodyOf(route: Route, schemas: Schemas): { requestBody?: object } {
  const { body, bodyLimitBytes = defaultBodyLimitBytes, consumes = ['application/json'] } = route
  if (!body) return {}
  if (isMultipart(consumes)) return { requestBody: formOf(consumes, body, schemas) }
  const schema = schemas.bodyOf(body)
  return {
    requestBody: {
      required: !body.safeParse({}).success,
      description: route.tenantBodyLimit?.description ?? `At most ${bodyLimitBytes / 1000} KB`,
      content: Object.fromEntries(consumes.map((each) => [each, each === 'application/jwt' ? compactJwe : schema])),
    },
  }
}

function formOf(
  { mediaType, file, limitBytes, orJson, exampleText = '' }: Multipart,
  body: z.ZodType,
  schemas: Schemas,
): object {
  // The example shows the fields. It cannot show a file.
  const its: JsonSchema = { type: 'string', format: 'binary', description: 'The file', examples: [''] }
  const asText: JsonSchema = {
    type: 'string',
    description: 'The content of the file as text',
    examples: [exampleText],
  }
  return {
    required: true,
    description: `\`${file}\` is a file of at most ${limitBytes / 1000} KB. Send the fields before it`,
    content: {
      [mediaType]: schemas.bodyOf(body, { suffix: 'Form', properties: { [file]: its } }),
      ...(orJson && {
        'application/json': schemas.bodyOf(body, { suffix: 'Request', properties: { [orJson]: asText } }),
      }),
    },
  }
}
