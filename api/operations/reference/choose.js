import {
  exampleOf,
  idOf,
  listPathOf,
  memberWithId,
  operationsOf,
  pathParametersOf,
  stringsOf,
} from '/docs/operations.js'

// Chooses the objects and the bodies with which an operation succeeds. `lists` has the items of the tenant by the path of their list.

/**
 * Puts them into a filled document. `reference` has the examples. An operation that needs a state gets an object in that state. A DELETE
 * gets an object that no object of another list names, the newest first. Each of these operations gets its own object, as long as there
 * are enough.
 */
export function choose(reference, filled, lists) {
  const taken = new Set()
  const namedIn = findNames(lists)
  const all = operationsOf(reference)
  const inOrder = [...all.filter((each) => each['x-needs']), ...all.filter((each) => !each['x-needs'])]
  for (const operation of inOrder) {
    const target = filled.paths[operation.path][operation.method]
    for (const [name, id] of chosenIds(operation, { all, lists, namedIn, taken })) setParameter(target, name, id)
  }
  for (const { path, method, requestBody } of all) if (requestBody) chooseBody(filled, path, method, lists)
  return filled
}

function chosenIds(operation, { all, lists, namedIn, taken }) {
  const { path, method, 'x-needs': needs = {} } = operation
  const parameters = pathParametersOf(operation)
  const last = parameters.at(-1)
  const names = Object.keys(needs)
  if (method === 'delete' && names.length === 0 && last) names.push(last.name)
  return names.flatMap((name) => {
    const place = listPathOf(path, name)
    const example = exampleOf(parameters.find((each) => each.name === name))
    const member = memberWithId(all, place, example)
    const matching = (lists.get(place) ?? []).filter((item) => isInState(item, needs[name]))
    const inOrder = matching.map((item) => idOf(item, member))
    const isUsed = (id) => [...(namedIn.get(id) ?? [])].some((other) => other !== place)
    const ids = method === 'delete' ? inOrder.reverse().sort((a, b) => isUsed(a) - isUsed(b)) : inOrder
    const id = ids.find((each) => !taken.has(`${place} ${each}`)) ?? ids[0]
    if (id === undefined) return []
    taken.add(`${place} ${id}`)
    return [[name, id]]
  })
}

/** Returns the paths of the lists that have a text, by the text. */
function findNames(lists) {
  const namedIn = new Map()
  for (const [place, items] of lists)
    for (const text of stringsOf(items)) namedIn.set(text, (namedIn.get(text) ?? new Set()).add(place))
  return namedIn
}

const isInState = (item, members = {}) => Object.entries(members).every(([name, values]) => values.includes(item[name]))

function setParameter({ parameters }, name, value) {
  const parameter = parameters.find((each) => each.in === 'path' && each.name === name)
  parameter.example = value
  if (parameter.schema.examples) parameter.schema.examples = [value]
}

function chooseBody(document, path, method, lists) {
  const { requestBody, 'x-unique': unique } = document.paths[path][method]
  const content = requestBody.content['application/json']
  if (typeof content?.example !== 'object') return
  if (method === 'put') content.example = withCurrent(document, path, content, lists)
  else makeUnique(content.example, unique, path, lists)
}

/** A PUT replaces the object, so its example has the present values. It has examples of what the object does not have. */
function withCurrent({ components, paths }, path, { schema, example }, lists) {
  const last = pathParametersOf({ parameters: paths[path].put.parameters ?? [] }).at(-1)
  const items = last && lists.get(listPathOf(path, last.name))
  const current = items?.find((item) => Object.values(item).includes(exampleOf(last)))
  if (!current) return example
  const resolved = schema.$ref ? components.schemas[schema.$ref.split('/').at(-1)] : schema
  const names = new Set([...Object.keys(resolved.properties ?? {}), ...Object.keys(example)])
  const present = Object.entries(current).filter(([name, value]) => names.has(name) && value !== null)
  return { ...example, ...Object.fromEntries(present) }
}

/** Changes the last of the unique members if the list has an object with the same values. */
function makeUnique(body, unique, path, lists) {
  const items = lists.get(path) ?? []
  const name = unique?.at(-1)
  if (typeof body[name] !== 'string') return
  const isFree = (value) =>
    !items.some((item) => unique.every((each) => idOf(item, each) === (each === name ? value : body[each])))
  // The value can be that of an object in another list, such as a DID of the tenant. Then the next object is an example too.
  const others = [...lists].find(([place, data]) => place !== path && data.some((item) => item[name] === body[name]))
  const values = (others?.[1] ?? []).map((item) => item[name]).filter((value) => typeof value === 'string')
  const numbered = items.map((_, index) => `${body[name]}-${index + 2}`)
  body[name] = [body[name], ...values, ...numbered].find(isFree) ?? body[name]
}
