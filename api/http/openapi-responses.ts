import { Problem, type ProblemName, statusOf } from '../../shared/errors.ts'
import type { JsonSchema, Schemas } from './openapi-schemas.ts'
import { oauthErrorOf, oauthStatusOf, problemsOf } from './problems.ts'
import { successesOf } from './representations/print.ts'
import type { Route } from './route.ts'

/** The two error bodies, as components. */
export const errorSchemas: Record<string, JsonSchema> = {
  Error: {
    type: 'object',
    description: 'Why a management request was refused, and which fields are wrong',
    properties: {
      code: { type: 'string' },
      message: { type: 'string' },
      details: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            value: { description: 'What was sent, when it is short' },
            msg: { type: 'string' },
            param: { type: 'string', description: 'The dotted path of the field' },
            location: { type: 'string', enum: ['body', 'params', 'query', 'headers'] },
          },
          required: ['msg', 'param', 'location'],
        },
      },
    },
    required: ['code', 'message'],
  },
  OAuthError: {
    type: 'object',
    description: 'RFC 6749, section 5.2',
    properties: { error: { type: 'string' }, error_description: { type: 'string' } },
    required: ['error'],
  },
}

/** Every answer that a route can give, by status. */
export function responsesOf(route: Route, schemas: Schemas): Record<string, object> {
  const byStatus = new Map<number, ProblemName[]>()
  for (const problem of problemsOf(route)) {
    const status = route.oauthErrors ? oauthStatusOf(problem) : statusOf(problem)
    byStatus.set(status, [...(byStatus.get(status) ?? []), problem])
  }
  const refusals = [...byStatus].map(([status, problems]) => [status, refusal(route, problems)])
  return { ...Object.fromEntries(refusals), ...successesOf(route, schemas) }
}

function refusal(route: Route, problems: ProblemName[]): object {
  const thrown = problems.map((problem) => new Problem(problem))
  const description = [...new Set(thrown.map(({ message }) => message))].join('. ')
  const isChallenge = problems.some((each) =>
    ['unauthorized', 'forbidden', 'missing_token', 'invalid_token'].includes(each),
  )
  const challenge = isChallenge ? { 'WWW-Authenticate': { schema: { type: 'string', examples: ['Bearer'] } } } : {}
  const isLater = problems.some((each) => each === 'service_unavailable' || each === 'too_many_requests')
  const later = isLater ? { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } } : {}
  const headers = { ...challenge, ...later }
  return { description, ...(Object.keys(headers).length > 0 ? { headers } : {}), ...contentOf(route, thrown) }
}

function contentOf(route: Route, problems: Problem[]): { content?: object } {
  if (route.problemPage) return { content: { 'text/html': { schema: { type: 'string' } } } }
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
