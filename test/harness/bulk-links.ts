import { request } from 'undici'
import { expect } from 'vitest'
import { compactConfiguration } from './factories.ts'
import { eventually, type SharedService, tokenOf } from './harness.ts'
import { bulkFields, csvFile, type FormEntry, uploadTo } from './uploads.ts'

const path = '/v1/bulk-issuances'

export interface LinkResult {
  row: number
  externalId: string
  link: string
  transactionCode?: string
}

// biome-ignore lint/suspicious/noExplicitAny: tests read any member of the answer
type Json = any

/** A tenant that makes claim links, with a configuration that requires `given_name`. */
export async function newLinksTenant(service: SharedService, configure = compactConfiguration) {
  const tenant = await service.addTenant()
  const { operator } = tenant
  const configurationId = await configure(tenant)
  const send = (file: File, extra: FormEntry[] = [], fields: Record<string, string> = {}) =>
    uploadTo(operator, path, ['file', file], ...bulkFields(configurationId, { mode: 'links', ...fields }), ...extra)
  async function upload(lines: string[], extra: FormEntry[] = [], header = 'number,given_name'): Promise<string> {
    const sent = await send(csvFile(`${header}\n${lines.join('\n')}\n`), extra)
    expect([sent.status, sent.body]).toEqual([202, { id: expect.any(String) }])
    return sent.body.id
  }
  const inState = (id: string, state: string) =>
    eventually<Json>(async () => {
      const { body } = await operator.get(`${path}/${id}`)
      return body.state === state && body
    })
  const post = (id: string, verb: string) => operator.post(`${path}/${id}/${verb}`)
  const rows = async (id: string, query = ''): Promise<Json[]> =>
    (await operator.get(`${path}/${id}/rows${query}`)).body.data
  /** Downloads the results. */
  async function download(id: string, accept: string, query = ''): Promise<string> {
    const { host, clientId, clientSecret } = tenant
    const authorization = `Bearer ${await tokenOf(service.origin, host, clientId, clientSecret)}`
    const headers = { host, authorization, accept }
    return (await request(`${service.origin}${path}/${id}/results${query}`, { headers })).body.text()
  }
  const links = async (id: string): Promise<LinkResult[]> => {
    const lines = (await download(id, 'application/jsonl')).trim().split('\n').filter(Boolean)
    return lines.map((line) => JSON.parse(line))
  }
  /** Opens a link as a person does, and returns the URI of its fresh offer. */
  async function press(link: string): Promise<string> {
    const { pathname } = new URL(link)
    expect(await tenant.anonymous.post(pathname)).toMatchObject({ status: 303 })
    const { body } = await tenant.anonymous.get(pathname)
    return offerIn(body)
  }
  return { tenant, operator, configurationId, send, upload, inState, post, rows, download, links, press }
}

/** Returns the offer URI of a page, as a browser reads it. */
export function offerIn(page: string): string {
  const [, link = ''] = /<a class="action[^>]* href="([^"]*)"/.exec(page) ?? []
  return link.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}
