import type { CallsJob } from '../driver-jobs.ts'
import { dayMs } from './filling.ts'

type Call = CallsJob['calls'][number]

export interface Page {
  name: string
  /** The next call, with a random position or value if the page has one. */
  next(): Call
}

/** Existing values for filters and paths. */
export interface Samples {
  webhookId: string
  providerId: string
  users: string[]
  credentials: string[]
  offers: string[]
  requests: string[]
  events: string[]
  client: string
}

export const get = (path: string): Call => ({ method: 'GET', path })

export const anyOf = (values: string[]): string => values[Math.floor(Math.random() * values.length)] ?? ''

/** A random time in the days before. */
export const anyTime = (at: number, days = 80): number => Math.floor(at - Math.random() * days * dayMs)

/** The cursor of the page after that time, as in api/http/page.ts. */
export const cursor = (at: number): string => Buffer.from(JSON.stringify([at, '0'])).toString('base64url')
