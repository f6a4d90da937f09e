import { choose } from '/docs/choose.js'
import {
  answerOf,
  exampleOf,
  idOf,
  isCallable,
  listPathOf,
  memberWithId,
  operationsOf,
  pathParametersOf,
  stringsOf,
} from '/docs/operations.js'

// Replaces the example ids of the reference by ids of the signed-in tenant. It learns them from the lists of the tenant: an example
// id of an answer and the real id at the same place belong together.

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const isUuid = (text) => text.length === 36 && text.search(uuid) === 0
const roundCount = 8
const concurrency = 6
const itemCount = 20
const credentialCount = 100

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
 * Returns the values of the tenant by the example values, and the items of its lists by their path. `read` answers with the body of a
 * path, or undefined. Paths with ids are read in later rounds, when their ids are known.
 */
export async function learnValues(document, read, signedIn) {
  const every = operationsOf(document)
  const all = every.filter((operation) => isCallable(operation, signedIn.roles))
  const examples = new Set(all.flatMap((operation) => pathParametersOf(operation).map(exampleOf)))
  const tenantData = { all, values: new Map(), lists: new Map(), examples, signedIn, isRead: new Set() }
  const session = every.find(({ path, method }) => path === '/console/session' && method === 'get')
  learn(answerOf(session), signedIn, tenantData)
  const listPaths = new Set(all.flatMap(({ path }) => listsIn(path)))
  const isList = ({ path }) => listPaths.has(path)
  // The objects of these lists are chosen by their state.
  const changed = new Set(all.flatMap(({ path, method }) => (method === 'get' ? [] : listsIn(path))))
  const isUseful = (operation) => changed.has(operation.path) || hasUnknownId(operation, tenantData)
  for (let round = 0; round < roundCount; round++) {
    const due = all.filter((operation) => isReadable(operation, tenantData) && isUseful(operation))
    const lists = due.filter(isList)
    // The lists have most ids. The other paths are read only for the rest.
    await readAll(lists.length > 0 ? lists : due, { read, tenantData, isUseful })
    learnFromPlaces(all, tenantData.values)
  }
  await learnCredentials(all, read, tenantData.values)
  return tenantData
}

const listsIn = (path) => [...path.matchAll(/\/\{/g)].map(({ index }) => path.slice(0, index))

/** Reads some at a time. An earlier read can make a later one useless. */
async function readAll(due, { read, tenantData, isUseful }) {
  const readNext = async () => {
    for (let operation = due.shift(); operation; operation = due.shift()) {
      if (!isUseful(operation)) continue
      tenantData.isRead.add(operation.path)
      const answer = await read(addressOf(operation, tenantData.values))
      learn(answerOf(operation), answer, tenantData)
      if (Array.isArray(answer?.data))
        learnList(operation.path, withoutSignedIn(answer.data, tenantData.signedIn), tenantData)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, readNext))
}

/** An id in the object's own list replaces one that another list names, because the other object may be deleted or built in. */
function learnList(place, items, { all, values, lists }) {
  lists.set(place, items)
  if (items.length === 0) return
  for (const { path, parameters } of all)
    for (const parameter of pathParametersOf({ parameters }))
      if (listPathOf(path, parameter.name) === place) {
        const example = exampleOf(parameter)
        const id = idOf(items[0], memberWithId(all, place, example))
        if (typeof id === 'string') values.set(example, id)
      }
}

/** Whether it is a GET that was not read yet and whose ids are known. */
function isReadable({ method, path, ...operation }, { values, isRead }) {
  const isKnown = pathParametersOf(operation).every((parameter) => values.has(exampleOf(parameter)))
  const needsQuery = operation.parameters.some((each) => each.in === 'query' && each.required)
  return method === 'get' && answerOf(operation) !== undefined && isKnown && !needsQuery && !isRead.has(path)
}

function hasUnknownId(operation, { values, examples }) {
  return [...stringsOf(answerOf(operation))].some((text) => examples.has(text) && !values.has(text))
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

/** Each profile has its own paths of credentials. The path `issued` has credentials of any profile. */
async function learnCredentials(all, read, values) {
  const byProfile = all.flatMap(({ path, ...operation }) => {
    const [, profile] = /^\/v2\/credentials\/([\w-]+)\/\{/.exec(path) ?? []
    const [example] = pathParametersOf(operation).map(exampleOf)
    return profile && !values.has(example) ? [{ profile, example }] : []
  })
  if (byProfile.length === 0) return
  const newest = await read(`/v2/credentials/issued?order=newest&limit=${credentialCount}`)
  const credentials = newest?.data ?? []
  const absent = new Set(byProfile.map(({ profile }) => profile))
  for (const { profile } of [...credentials, { profile: 'issued' }]) absent.delete(profile)
  if (newest?.nextCursor)
    for (const profile of absent) {
      const page = await read(`/v2/credentials/issued?profile=${profile}&order=newest&limit=1`)
      credentials.push(...(page?.data ?? []))
    }
  for (const { profile, example } of byProfile) {
    const credential = credentials.find((each) => profile === 'issued' || each.profile === profile)
    if (credential) values.set(example, credential.id)
  }
}

/** Returns the document with the values and objects of the tenant instead of the examples. */
export function fill(document, { values, lists }) {
  let text = JSON.stringify(document).replace(uuid, (id) => values.get(id) ?? id)
  for (const [example, value] of values)
    if (!isUuid(example)) text = text.replaceAll(JSON.stringify(example), JSON.stringify(value))
  return choose(document, JSON.parse(text), lists)
}

function addressOf({ path, parameters }, values) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name)
    return encodeURIComponent(values.get(exampleOf(parameter)))
  })
  return parameters.some(({ name }) => name === 'limit') ? `${filled}?limit=${itemCount}` : filled
}

function learn(example, actual, tenantData) {
  const { values, examples, signedIn } = tenantData
  if (typeof example === 'string' && typeof actual === 'string') {
    const isId = examples.has(example) || isUuid(example)
    if (isId && !values.has(example) && actual !== signedIn.clientId) values.set(example, actual)
  } else if (Array.isArray(example) && Array.isArray(actual)) {
    learn(example[0], withoutSignedIn(actual, signedIn)[0], tenantData)
  } else if (typeof example === 'object' && typeof actual === 'object' && example && actual) {
    for (const [name, value] of Object.entries(example)) learn(value, actual[name], tenantData)
  }
}

/** An example must not change or delete the client that sends it. */
const withoutSignedIn = (items, { clientId }) => items.filter((each) => !clientId || each?.clientId !== clientId)
