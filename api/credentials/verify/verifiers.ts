import { createThreads, type Threads } from '../../../shared/threads/threads.ts'
import type { ReadSigned, ToRead } from './json-ld/thread.ts'

/** What reads credentials of strangers beside the requests of this process. */
export interface Verifiers {
  /** Of a PNG or JPEG, the texts of the QR codes in it, two at most. */
  qrCodes: Threads<Buffer, string[]>
  /** Of a signed JSON-LD document, as text: what its proof is over, and what it states. */
  jsonLd: Threads<ToRead, ReadSigned>
}

/** The largest presentation that is read takes 2.3 s of CPU time on a small machine. */
const cpuMs = 5_000
/** Longer than requests wait, so that a busy machine does not end its threads. */
const withinMs = 30_000

/** Tests set other limits for one document. */
export function createVerifiers(limits = { cpuMs, withinMs }): Verifiers {
  // At their largest, some 200 MB of either. Of images, more than these do not come to their turn within a deadline.
  const [qr, jsonLd] = [
    { isKept: false, line: 40 },
    { isKept: true, line: 200 },
  ]
  return {
    qrCodes: createThreads({ file: new URL('./qr/thread.ts', import.meta.url), ...limits, ...qr }),
    jsonLd: createThreads({ file: new URL('./json-ld/thread.ts', import.meta.url), ...limits, ...jsonLd }),
  }
}
