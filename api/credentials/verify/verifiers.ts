import { createThreads, type Threads } from '../../../shared/threads/threads.ts'
import { bindThreads, defineService } from '../../process/services.ts'
import type { DocumentToRead, ReadResult } from './json-ld/thread.ts'

/** The worker threads that read untrusted credentials. */
interface Verifiers {
  /** Reads the texts of at most two QR codes in a PNG or JPEG. */
  qrCodes: Threads<Buffer, string[]>
  /** Reads the signed data and the statements of a signed JSON-LD document. */
  jsonLd: Threads<DocumentToRead, ReadResult>
}

/** The CPU time per document. The largest accepted presentation takes 2.3 s on a small machine. */
const cpuMs = 5_000
/** The time limit per document. It is longer than the deadline of requests, so that a busy machine does not stop its threads. */
const withinMs = 30_000

export const verifiers = defineService<Verifiers>('verifiers', {
  create: () => createVerifiers(),
  bind: ({ qrCodes, jsonLd }, request) => ({
    qrCodes: bindThreads(qrCodes, request),
    jsonLd: bindThreads(jsonLd, request),
  }),
})

/** Creates the worker threads. Tests set other limits. */
export function createVerifiers(limits = { cpuMs, withinMs }): Verifiers {
  // Each queue holds about 200 MB at most. More than 40 images cannot be processed before the deadline of their requests.
  const [qr, jsonLd] = [
    { isKept: false, hasSpare: true, maxWaiting: 40 },
    { isKept: true, hasSpare: true, maxWaiting: 200 },
  ]
  return {
    qrCodes: createThreads({ file: new URL('./qr/thread.ts', import.meta.url), ...limits, ...qr }),
    jsonLd: createThreads({ file: new URL('./json-ld/thread.ts', import.meta.url), ...limits, ...jsonLd }),
  }
}
