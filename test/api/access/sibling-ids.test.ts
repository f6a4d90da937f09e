import { afterAll, beforeAll, expect, test } from 'vitest'
import { isMultipart } from '../../../api/http/multipart/multipart.ts'
import type { Route } from '../../../api/http/route.ts'
import { type Service, startService } from '../../harness/harness.ts'
import {
  createOneOfEach,
  isPlatform,
  operations,
  pathTo,
  placeOf,
  sampleBody,
  type Things,
} from '../../harness/one-of-each.ts'
import { pdf, uploadTo } from '../../harness/uploads.ts'

let service: Service
let things: Things

beforeAll(async () => {
  service = await startService()
  things = await createOneOfEach(service, service)
})
afterAll(() => service[Symbol.asyncDispose]())

const byId = operations.filter((route) => route.path.includes(':') && !isPlatform(route))
const placesOf = (path: string) => [...path.matchAll(/:/g)].map(({ index }) => placeOf(path, index))
const places = [...new Set(byId.flatMap(({ path }) => placesOf(path)))]
/** `/v1/webhooks` of `/v1/webhooks/listeners/:`. Resources with the same start can be in the same table. */
const startOf = (place: string) => place.split('/').slice(0, 3).join('/')

const listener = /^\/v1\/webhooks\/listeners\/:$/
/** `/v2/credentials/issued` has the credentials of all profiles. The one of this test is compact. */
const credentials = /^\/v2\/credentials\/[^/]+\/:$/
const issued = /^\/v2\/credentials\/issued\/:$/

/** Routes that take the ids of other resources too, by design. */
const takesOthers: Record<string, RegExp> = {
  'GET /v2/credentials/issued/:id': credentials,
  'GET /v2/credentials/compact/:id/revocation-status': issued,
  'POST /v2/credentials/compact/:id/revocation-status': issued,
  'DELETE /v2/credentials/compact/:id': issued,
  // A listener ends, is tested and is read as a webhook.
  'DELETE /v1/webhooks/:webhookId': listener,
  'POST /v1/webhooks/:webhookId/test': listener,
  'GET /v1/webhooks/:webhookId/deliveries': listener,
}

test.each(byId.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s answers 404 for the id of another resource',
  async (name, route) => {
    const last = route.path.lastIndexOf(':')
    const place = placeOf(route.path, last)
    const parameter = /^\w+/.exec(route.path.slice(last + 1))![0]
    const siblings = places.filter((each) => {
      if (each === place || startOf(each) !== startOf(place) || takesOthers[name]?.test(each)) return false
      const id = things.get(each)
      return id !== things.get(place) && route.params!.safeParse({ ...ownIds(route.path), [parameter]: id }).success
    })
    const answers: [string, number][] = []
    for (const sibling of siblings) answers.push([sibling, await send(route, { [parameter]: things.get(sibling) })])
    expect(answers.filter(([, status]) => status !== 404)).toEqual([])
  },
)

/** The ids of the path by the names of parameters. */
function ownIds(path: string): Record<string, string> {
  return Object.fromEntries(
    [...path.matchAll(/:(\w+)/g)].map(({ 1: name, index }) => [name, things.get(placeOf(path, index))]),
  )
}

async function send(route: Route, ids: Record<string, string>): Promise<number> {
  const path = pathTo(route, things, ids)
  if (isMultipart(route.consumes)) {
    return (await uploadTo(service.operator, path, [route.consumes.file, pdf()])).status
  }
  return (await service.operator.send(route.method, path, await sampleBody(route, service.operator))).status
}
