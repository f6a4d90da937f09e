import { Problem, type ProblemName, statusOf } from '../../shared/errors/errors.ts'
import type { JsonSchema } from './openapi-names.ts'
import type { Schemas } from './openapi-schemas.ts'
import { oauthErrorOf, oauthStatusOf, problemsOf } from './problems.ts'
import { successesOf } from './representations/print.ts'
import type { Route } from './route.ts'

const traceId: JsonSchema = {
  type: 'string',
  description: 'The id of the trace. Absent if the request is not traced',
}

/** The two error schemas, as components. */
export const errorSchemas: Record<string, JsonSchema> = {
  Error: {
    type: 'object',
    description: 'The error of a management request',
    properties: {
      code: { type: 'string', description: 'The error code, for programs' },
      message: { type: 'string', description: 'The error message, for people' },
      details: {
        type: 'array',
        description: 'The invalid fields. Absent if the error is not about fields',
        items: {
          type: 'object',
          properties: {
            value: { description: 'The received value, if it is short and not secret' },
            msg: { type: 'string', description: 'The requirement that the field does not meet' },
            param: { type: 'string', description: 'The dotted path of the field' },
            location: {
              type: 'string',
              enum: ['body', 'params', 'query', 'headers'],
              description: 'The part of the request with the field',
            },
            see: { type: 'string', description: 'The operation that lists what the field can refer to' },
          },
          required: ['msg', 'param', 'location'],
        },
      },
      traceId,
    },
    required: ['code', 'message'],
  },
  OAuthError: {
    type: 'object',
    description: 'RFC 6749, section 5.2',
    properties: {
      error: { type: 'string', description: 'The error code, for programs' },
      error_description: { type: 'string', description: 'The error message, for people' },
      traceId,
    },
    required: ['error'],
  },
}

/** The responses of routes by status. Equal error responses are one component. */
export interface Responses {
  components: Record<string, object>
  of(route: Route): Record<string, object>
}

export function collectResponses(schemas: Schemas): Responses {
  const components: Record<string, object> = {}
  const references = new Map<string, { $ref: string }>()
  function referTo(route: Route, problems: readonly ProblemName[]): { $ref: string } {
    const baseName = refusalName(route, problems)
    const key = `${baseName} ${route.oauthErrors}`
    const reference = references.get(key) ?? add(baseName, refusal(route, problems))
    references.set(key, reference)
    return reference
  }
  function add(baseName: string, response: object): { $ref: string } {
    const text = JSON.stringify(response)
    let name = baseName
    for (let more = 2; components[name] && JSON.stringify(components[name]) !== text; more++)
      name = `${baseName}${more}`
    components[name] = response
    return { $ref: `#/components/responses/${name}` }
  }
  return {
    components,
    of(route) {
      const statusIn = (name: ProblemName) => (route.oauthErrors ? oauthStatusOf(name, route) : statusOf(name))
      const refusals = [...Map.groupBy(problemsOf(route), statusIn)]
      return {
        ...Object.fromEntries(refusals.map(([status, problems]) => [status, referTo(route, problems)])),
        ...successesOf(route, schemas),
        // Tools expect a success response. An operation that only redirects has none.
        ...(route.status >= 300 && { default: { description: 'Any other response is an error' } }),
      }
    },
  }
}

/** Returns a component name such as `NotFound` or `OAuthInvalidRequest`. */
function refusalName({ oauthErrors, problemPage }: Route, problems: readonly ProblemName[]): string {
  const words = problems.map((problem) => problem.replaceAll(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase()))
  return `${oauthErrors ? 'OAuth' : ''}${words.join('Or')}${problemPage ? 'Page' : ''}`
}

function refusal(route: Route, problems: readonly ProblemName[]): object {
  const thrown = problems.map((problem) => new Problem(problem))
  const description = [...new Set(thrown.map(({ message }) => message))].join('. ')
  const isChallenge = problems.some((each) =>
    ['unauthorized', 'forbidden', 'missing_token', 'invalid_token', 'insufficient_scope'].includes(each),
  )
  const challenge = isChallenge ? { 'WWW-Authenticate': { schema: { type: 'string', examples: ['Bearer'] } } } : {}
  const isTemporary = problems.some((each) => each === 'service_unavailable' || each === 'too_many_requests')
  const retryAfter = isTemporary ? { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } } : {}
  const headers = { ...challenge, ...retryAfter }
  return { description, ...(Object.keys(headers).length > 0 ? { headers } : {}), ...contentOf(route, thrown) }
}

function contentOf(route: Route, problems: Problem[]): { content?: object } {
  if (!route.problemPage) return inJson(route, problems)
  const text = { schema: { type: 'string' } }
  return { content: { 'text/html': text, ...inJson(route, problems).content, 'text/plain': text } }
}

function inJson(route: Route, problems: Problem[]): { content?: object } {
  const [first] = problems
  const isOauth = route.oauthErrors && first?.problem !== 'too_many_requests'
  if (!route.oauthErrors && first?.problem === 'forbidden') return {}
  if (!route.oauthErrors && first?.problem === 'unauthorized') {
    return { content: { 'text/plain': { schema: { type: 'string', const: 'Unauthorized' } } } }
  }
  const examples = Object.fromEntries(
    problems.map((problem) => [problem.problem, { value: exampleOf(route, problem) }]),
  )
  const schema = { $ref: `#/components/schemas/${isOauth ? 'OAuthError' : 'Error'}` }
  return { content: { 'application/json': { schema, examples } } }
}

function exampleOf(route: Route, problem: Problem): object {
  if (route.oauthErrors && problem.problem !== 'too_many_requests')
    return { error: oauthErrorOf(problem, route), error_description: problem.message }
  const { code, message } = problem
  return problem.problem === 'bad_request' ? { code, message, details: [exampleDetail] } : { code, message }
}

const exampleDetail = { value: 0, msg: 'Must be a number from 1 to 1000', param: 'limit', location: 'query' }
