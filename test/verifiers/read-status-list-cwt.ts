import { readFileSync } from 'node:fs'
import { StatusListCwt } from '@owf/token-status-list'

// Reads a token from standard input in its own process. The library and @owf/mdoc share a CBOR decoder, and each
// registers another meaning of tag 24.
const { payload } = StatusListCwt.fromToken(new Uint8Array(readFileSync(0)))
console.log(JSON.stringify({ subject: payload.subject, statuses: payload.statusList.statusList }))
