// Reads the operations of the OpenAPI document.

export function operationsOf({ paths }) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method,
      parameters: [],
      security: [],
      ...operation,
    })),
  )
}

export const pathParametersOf = ({ parameters }) => parameters.filter((parameter) => parameter.in === 'path')
export const exampleOf = ({ schema, example }) => example ?? schema?.examples?.[0]
export const answerOf = ({ responses }) => responses[200]?.content?.['application/json']?.example

/** Returns the path of the list of the objects that a parameter names: `/v1/users` for `{id}` of `/v1/users/{id}`. */
export const listPathOf = (path, name) => path.split(`/{${name}}`)[0]

/** Returns the name of the member that has the id, by the example of the list. Items without members are the ids themselves. */
export function memberWithId(all, place, example) {
  const list = all.find(({ path, method }) => path === place && method === 'get')
  const item = list && answerOf(list)?.data?.[0]
  if (typeof item !== 'object') return undefined
  return Object.keys(item).find((name) => String(item[name]) === String(example)) ?? 'id'
}

export const idOf = (item, member) => (typeof item === 'object' ? item[member] : item)

/** Whether a client with the roles can call the operation on the host of a tenant. */
export function isCallable({ security, description }, roles) {
  const [, named] = /Roles: ([^.]*)\./.exec(description) ?? []
  return (
    security.every((scheme) => !('holderToken' in scheme)) &&
    !description.includes('platform host') &&
    (!named || !roles || roles.some((role) => named.includes(`\`${role}\``)))
  )
}

export function* stringsOf(value) {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* stringsOf(each)
}
