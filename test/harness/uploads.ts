import type { Api, ApiResponse } from './api-client.ts'

export type FormEntry = [name: string, value: string | File]

/** A file with a declared type, which the service ignores. */
export function pdf(content: string | Buffer<ArrayBuffer> = '%PDF-1.7', name = 'evidence.pdf'): File {
  return new File([content], name, { type: 'application/octet-stream' })
}

/** Posts a form with these parts, in their order. */
export function uploadTo(api: Api, path: string, ...entries: FormEntry[]): Promise<ApiResponse> {
  return uploadWith(api, path, {}, entries)
}

/** Posts a form like `uploadTo`, with more headers. */
export async function uploadWith(
  api: Api,
  path: string,
  headers: Record<string, string>,
  entries: FormEntry[],
): Promise<ApiResponse> {
  const form = new FormData()
  for (const [name, value] of entries) form.append(name, value)
  const encoded = new Response(form)
  const body = Buffer.from(await encoded.arrayBuffer())
  return api.post(path, body, { ...headers, 'content-type': encoded.headers.get('content-type') ?? '' })
}

/** A file of one person, with a student number and a name. */
export function csvFile(content: string | Buffer<ArrayBuffer> = 'number,name\n1,Ada\n', name = 'people.csv'): File {
  return new File([content], name, { type: 'text/csv' })
}

/** The fields of a bulk issuance from such a file. */
export function bulkFields(configurationId: string, extra: Record<string, string> = {}): FormEntry[] {
  const fields = { mode: 'sign', configurationIds: configurationId, externalId: 'number', ...extra }
  return Object.entries(fields)
}
