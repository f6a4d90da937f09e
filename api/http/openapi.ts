import type { z } from 'zod'
import { apiVersion } from './api-version.ts'
import { defaultBodyLimitBytes } from './body.ts'
import { isMultipart, type Multipart } from './multipart/multipart.ts'
import { errorSchemas, responsesOf } from './openapi-responses.ts'
import { collectSchemas, type Schemas } from './openapi-schemas.ts'
import type { Access, Route } from './route.ts'

const securitySchemes = {
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'A management token of `POST /oauth/token`, for clients with one of the roles that the operation names',
  },
  holderToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      "A wallet's access token of `POST /v1/oauth/token`; sent under the scheme `DPoP` when it is bound to a key",
  },
}

const description = [
  'Issues verifiable credentials to wallets over OpenID4VCI and keeps the trust around them.',
  'Every answer carries `X-Request-Id`, which names the request in our log, and `X-Api-Version`. Members of a body or a query ' +
    'that an operation does not know are passed over, and named in `X-Ignored-Fields`.',
].join(' ')

/** The OpenAPI 3.1 document of all documented routes, as this version of the product prints it. */
export function printOpenApi(routes: readonly Route[], productVersion: string): object {
  const documented = routes.filter(({ undocumented }) => !undocumented)
  const schemas = collectSchemas(documented)
  const paths: Record<string, Record<string, object>> = {}
  for (const route of documented) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trustwright',
      version: apiVersion,
      'x-product-version': productVersion,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The tenant whose host is addressed' }],
    tags: [...new Set(documented.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: { securitySchemes, schemas: { ...errorSchemas, ...schemas.components } },
  }
}

const compactJwe = { type: 'string', description: 'The same JSON in a compact JWE' }

function operationOf(route: Route, schemas: Schemas): object {
  return {
    operationId: route.operation,
    summary: route.summary,
    ...(route.deprecated && { deprecated: true }),
    description: descriptionOf(route),
    tags: [route.tag],
    security: securityOf(route.access),
    ...parametersOf(route, schemas),
    ...requestBodyOf(route, schemas),
    responses: responsesOf(route, schemas),
  }
}

function descriptionOf({ access, host, event }: Route): string {
  const who = {
    anyone: () => 'Public.',
    wallet: () => "For wallets, with the access token of the tenant's token endpoint.",
    operators: (roles: readonly string[]) => `Roles: ${roles.map((role) => `\`${role}\``).join(', ')}.`,
  }
  return [
    access.kind === 'operators' ? who.operators(access.roles) : who[access.kind](),
    ...(host === 'platform' ? ['Served on the platform host.'] : []),
    ...(event ? [`Events: \`${event}_START\`, \`_SUCCESS\`, \`_FAIL\`.`] : []),
  ].join(' ')
}

function securityOf({ kind }: Access): object[] {
  if (kind === 'operators') return [{ bearerAuth: [] }]
  return kind === 'wallet' ? [{ holderToken: [] }] : []
}

function parametersOf({ params, query }: Route, schemas: Schemas): { parameters?: object[] } {
  const parameters = (schema: z.ZodType | undefined, place: 'path' | 'query') =>
    (schema ? schemas.membersOf(schema) : []).map(({ name, required, schema: { description, ...rest } }) => ({
      name,
      in: place,
      required: place === 'path' || required,
      ...(description ? { description } : {}),
      schema: rest,
    }))
  const all = [...parameters(params, 'path'), ...parameters(query, 'query')]
  return all.length > 0 ? { parameters: all } : {}
}

function requestBodyOf(route: Route, schemas: Schemas): { requestBody?: object } {
  const schema = schemas.bodyOf(route)
  if (!route.body || !schema) return {}
  const { consumes = ['application/json'] } = route
  if (isMultipart(consumes)) return { requestBody: formOf(consumes, schema) }
  return {
    requestBody: {
      required: !route.body.safeParse({}).success,
      description: `At most ${(route.bodyLimitBytes ?? defaultBodyLimitBytes) / 1000} KB`,
      content: Object.fromEntries(
        consumes.map((each) => [each, { schema: each === 'application/jwt' ? compactJwe : schema }]),
      ),
    },
  }
}

/** The fields, and the file behind them. */
function formOf({ mediaType, file, limitBytes, orJson }: Multipart, fields: object): object {
  const its = { type: 'object', properties: { [file]: { type: 'string', format: 'binary' } }, required: [file] }
  return {
    required: true,
    description: `\`${file}\` is a file of at most ${limitBytes / 1000} KB; fields come before it`,
    content: { [mediaType]: { schema: { allOf: [fields, its] } }, ...(orJson && inJson(orJson, fields)) },
  }
}

function inJson(member: string, fields: object): object {
  const its = { type: 'object', properties: { [member]: { type: 'string' } }, required: [member] }
  return { 'application/json': { schema: { allOf: [fields, its] } } }
}
