import { expect } from 'vitest'
import type { ApiResponse } from './api-client.ts'

/** The complete form of every refusal of a protocol endpoint (RFC 6749, section 5.2). */
export function expectOauthError(response: ApiResponse, error: string, status = 400): void {
  expect(response).toMatchObject({ status, body: { error } })
  expect(Object.keys(response.body).sort()).toEqual(['error', 'error_description'])
  expect(response.body.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  expect(response.headers).toMatchObject({ 'cache-control': 'no-store' })
  expect(response.headers['content-type']).toMatch(/^application\/json/)
}
