import { expect, test } from 'vitest'
import { fromWireProblem, Problem, toWireProblem } from '../../shared/errors/errors.ts'

test.each([
  new Problem('service_unavailable', { retryAfterSeconds: 7 }),
  new Problem('invalid_proof', { message: 'It is wrong', reason: 'It is wrong: for the operator' }),
  new Problem('bad_request', { details: [{ msg: 'Required', param: 'name', location: 'body' }] }),
  new Problem('invalid_token', { headers: { 'WWW-Authenticate': 'Bearer' } }),
])('a caller that waits for a job gets the whole problem of its worker: %s', (problem) => {
  const received = fromWireProblem(JSON.parse(JSON.stringify(toWireProblem(problem))))
  expect(contentOf(received)).toEqual(contentOf(problem))
})

function contentOf({ problem, message, details, retryAfterSeconds, headers, reason }: Problem) {
  return { problem, message, details, retryAfterSeconds, headers, reason }
}
