import { eventPayloads } from '../../../db/event-payloads.ts'
import type { EventSource } from './source.ts'

/** A test event, which an operator requests for one webhook. */
export const testEvent: EventSource = { payloadOf: eventPayloads.test }
