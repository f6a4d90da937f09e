// Replaces the example ids of the reference by ids of the signed-in tenant. It learns them from the lists of the tenant: an example
// id of an answer and the real id at the same place belong together.

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const isUuid = (text) => text.length === 36 && text.search(uuid) === 0
const roundCount = 4
const concurrency = 6
const configurationCount = 10

/** Removes the examples of optional parameters, which Swagger UI would send. */
export function withoutOptionalExamples(document) {
  for (const { parameters } of operationsOf(document))
    for (const parameter of parameters)
      if (!parameter.required) {
        delete parameter.example
        delete parameter.schema?.examples
        delete parameter.schema?.example
      }
  return document
}

/**
 * Returns the values of the tenant by the example values. `read` answers with the body of a path, or undefined. Paths with ids are read
 * in later rounds, when their ids are known.
 */
export async function learnValues(document, read, signedIn) {
  const all = operationsOf(document)
  const wanted = new Set(all.flatMap((operation) => pathParametersOf(operation).map(exampleOf)))
  const known = { values: new Map(), wanted, signedIn }
  const session = all.find(({ path, method }) => path === '/console/session' && method === 'get')
  learn(answerOf(session), signedIn, known)
  const isRead = new Set()
  for (let round = 0; round < roundCount; round++) {
    const due = all.filter((operation) => !isRead.has(operation.path) && isUseful(operation, known))
    for (let at = 0; at < due.length; at += concurrency)
      await Promise.all(
        due.slice(at, at + concurrency).map(async (operation) => {
          isRead.add(operation.path)
          learn(answerOf(operation), await read(addressOf(operation, known.values)), known)
        }),
      )
    learnFromPlaces(all, known.values)
  }
  learnCredentials(all, await readCredentials(read), known.values)
  return known.values
}

/** Whether the answer has an unknown id, and the path has none. */
function isUseful({ method, security, description, ...operation }, { values, wanted }) {
  const isAllowed = security.every((scheme) => !('holderToken' in scheme)) && !/platform host/.test(description)
  const isReadable = pathParametersOf(operation).every((parameter) => values.has(exampleOf(parameter)))
  const needsQuery = operation.parameters.some((each) => each.in === 'query' && each.required)
  const strings = [...stringsOf(answerOf(operation))]
  return (
    method === 'get' &&
    isAllowed &&
    !needsQuery &&
    isReadable &&
    strings.some((text) => wanted.has(text) && !values.has(text))
  )
}

/** Parameters at the same place of different paths have the same value: `/v1/users/{id}` and `/v1/users/{userId}/credentials`. */
function learnFromPlaces(all, values) {
  const byPlace = new Map()
  const parameters = all.flatMap((operation) =>
    pathParametersOf(operation).map((parameter) => ({
      place: operation.path.split(`{${parameter.name}}`)[0].replaceAll(/\{\w+\}/g, '{}'),
      example: exampleOf(parameter),
    })),
  )
  for (const { place, example } of parameters) if (values.has(example)) byPlace.set(place, values.get(example))
  for (const { place, example } of parameters)
    if (!values.has(example) && byPlace.has(place)) values.set(example, byPlace.get(place))
}

/** Returns the newest credential of some configurations. */
async function readCredentials(read) {
  const configurations = (await read(`/v2/credentials/configurations?limit=${configurationCount}`))?.data ?? []
  const pages = await Promise.all(
    configurations.map(({ id }) => read(`/v2/credentials/issued?configurationId=${id}&limit=1`)),
  )
  return pages.flatMap((page) => page?.data ?? [])
}

/** Each profile has its own paths of credentials. The path `issued` has credentials of any profile. */
function learnCredentials(all, credentials, values) {
  for (const { path, ...operation } of all) {
    const [parameter] = pathParametersOf(operation)
    const [, name] = /^\/v2\/credentials\/([\w-]+)\/\{/.exec(path) ?? []
    const credential = credentials.find(({ profile }) => name === 'issued' || profile === name)
    if (name && credential && !values.has(exampleOf(parameter))) values.set(exampleOf(parameter), credential.id)
  }
}

/** Returns the document with the values instead of the examples. */
export function fill(document, values) {
  let text = JSON.stringify(document).replace(uuid, (id) => values.get(id) ?? id)
  for (const [example, value] of values)
    if (!isUuid(example)) text = text.replaceAll(JSON.stringify(example), JSON.stringify(value))
  return JSON.parse(text)
}

function operationsOf({ paths }) {
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

const pathParametersOf = ({ parameters }) => parameters.filter((parameter) => parameter.in === 'path')
const exampleOf = ({ schema, example }) => example ?? schema?.examples?.[0]
const answerOf = ({ responses }) => responses[200]?.content?.['application/json']?.example

function addressOf({ path, parameters }, values) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name)
    return encodeURIComponent(values.get(exampleOf(parameter)))
  })
  return parameters.some(({ name }) => name === 'limit') ? `${filled}?limit=5` : filled
}

function* stringsOf(value) {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* stringsOf(each)
}

function learn(example, actual, known) {
  const { values, wanted, signedIn } = known
  if (typeof example === 'string' && typeof actual === 'string') {
    const isId = wanted.has(example) || isUuid(example)
    // An example must not change or delete the client that sends it.
    if (isId && !values.has(example) && actual !== signedIn.clientId) values.set(example, actual)
  } else if (Array.isArray(example) && Array.isArray(actual)) {
    const others = actual.filter((each) => !signedIn.clientId || each?.clientId !== signedIn.clientId)
    learn(example[0], others[0], known)
  } else if (typeof example === 'object' && typeof actual === 'object' && example && actual) {
    for (const [name, value] of Object.entries(example)) learn(value, actual[name], known)
  }
}
