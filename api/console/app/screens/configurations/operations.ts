import { type Answered, api, callApi, type Schemas } from '../../kit/api.ts'
import { type Profile, profiles } from '../../kit/configurations.ts'
import type { DraftRequest } from '../../kit/request-log.ts'
import type { Body } from './body.ts'

export type Listed = Schemas['ListedConfiguration']

export function isProfile(text: string | undefined): text is Profile {
  return profiles.some((each) => each === text)
}

type Saved = Body & { id: string }

// Boundary: the operations of all profiles have the same shape, and the service validates the body.
const allOf = (profile: Profile) =>
  `/v2/credentials/${profile}/configurations` as '/v2/credentials/compact/configurations'
const oneOf = (profile: Profile) => `${allOf(profile)}/{id}` as '/v2/credentials/compact/configurations/{id}'
const sent = (body: Body) => body as Schemas['CompactConfigurationRequest']
const saved = (answered: Promise<Answered<object>>) => answered as Promise<Answered<Saved>>

/** Returns the request that saves a new configuration, or the one with this id. */
export function writeOf(profile: Profile, id: string | undefined, body: Body): DraftRequest {
  return id === undefined
    ? { method: 'POST', path: allOf(profile), body }
    : { method: 'PUT', path: `${allOf(profile)}/${id}`, body }
}

export function readConfiguration(profile: Profile, id: string): Promise<Answered<Saved>> {
  return saved(callApi(api.GET(oneOf(profile), { params: { path: { id } } })))
}

export function createConfiguration(profile: Profile, body: Body): Promise<Answered<Saved>> {
  return saved(callApi(api.POST(allOf(profile), { body: sent(body) })))
}

/** Replaces the configuration only if it still has this ETag. */
export function replaceConfiguration(
  profile: Profile,
  id: string,
  body: Body,
  etag: string | undefined,
): Promise<Answered<Saved>> {
  const header = etag === undefined ? {} : { 'If-Match': etag }
  return saved(callApi(api.PUT(oneOf(profile), { params: { path: { id }, header }, body: sent(body) })))
}

export function deleteConfiguration(profile: Profile, id: string) {
  return callApi(api.DELETE(oneOf(profile), { params: { path: { id } } }))
}

/** Removes the members that the service adds. */
export function bodyOfSaved({ id: _, typeMetadataUrl: _url, ...body }: Saved): Body {
  return body
}
