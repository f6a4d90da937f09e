import { Problem } from '../../../shared/errors/errors.ts'

/** The problem for a credential that has no index in a status list. */
export function notRevocable(param: string, id: string): Problem {
  return new Problem('not_found', {
    details: [{ msg: 'This credential is not revocable', param, location: 'params', value: id }],
  })
}

/** The operation that lists the credentials whose status can be changed, for answers about unknown ids. */
export const credentialList = 'GET /v2/credentials/issued'
