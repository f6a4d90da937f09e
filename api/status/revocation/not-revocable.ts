import { Problem } from '../../../shared/errors.ts'

/** The credential was made without a place in any list. */
export function notRevocable(param: string, id: string): Problem {
  return new Problem('not_found', {
    details: [{ msg: 'This credential is not revocable', param, location: 'params', value: id }],
  })
}
