import { api, callApi } from '../../kit/api.ts'

/** The headers that only the response to an erasure has. */
export interface ErasureHeaders {
  /** The id of the receipt. */
  id: string
  salt: string
}

/** Erases a user. Returns the headers of the response. */
export function erase(id: string) {
  return callApi<ErasureHeaders>(
    api.DELETE('/v1/users/{id}', { params: { path: { id } } }).then(({ error, response }) => {
      const header = (name: string) => response.headers.get(`Erasure-${name}`) ?? ''
      return { error, response, data: { id: header('Id'), salt: header('Salt') } }
    }),
  )
}
