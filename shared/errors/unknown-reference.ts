import { Problem } from './errors.ts'

/**
 * Creates the problem of a field that refers to something that this tenant does not have. `see` is the operation that lists the possible
 * values.
 */
export function unknownReference(param: string, value: string, see: string): Problem {
  return new Problem('bad_request', { details: [{ value, msg: 'Resource Not Found', param, location: 'body', see }] })
}
