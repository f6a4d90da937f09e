import { readFileSync } from 'node:fs'
import { StatusListCwt } from '@owf/token-status-list'

// A process of its own, which reads a token from standard input: the library shares a CBOR decoder with @owf/mdoc, and each
// of the two tells it what tag 24 becomes.
const { payload } = StatusListCwt.fromToken(new Uint8Array(readFileSync(0)))
console.log(JSON.stringify({ subject: payload.subject, statuses: payload.statusList.statusList }))
