import { api, callApi, type Schemas } from '../../kit/api.ts'

/** Changes the given members of a user and keeps the others. */
export function changeUser(id: string, body: Schemas['UpdateUserRequest']) {
  return callApi(api.PUT('/v1/users/{id}', { params: { path: { id }, query: { partial: 'true' } }, body }))
}
