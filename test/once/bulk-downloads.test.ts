import { expect, test } from 'vitest'
import { beginDownload, createDownloadLimiter } from '../../api/issuance/bulk/downloads.ts'

test('a large chunk is sent in pieces, so that a slow reader is not taken for a stalled one', async () => {
  const whole = Buffer.from(Array.from({ length: 1_000_007 }, (_, at) => at % 251))
  async function* chunks() {
    yield whole
    yield Buffer.alloc(0)
    yield whole.subarray(0, 5)
  }
  const pieces: Buffer[] = await Array.fromAsync(beginDownload(createDownloadLimiter(), 'tenant', chunks()))
  expect(Buffer.concat(pieces).equals(Buffer.concat([whole, whole.subarray(0, 5)]))).toBe(true)
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(200_000)
})
