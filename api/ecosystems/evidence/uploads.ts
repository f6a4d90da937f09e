import { createTransferLimiter, type TransferLimiter } from '../../http/transfers.ts'

const maxPerTenant = 5

/** Limits concurrent uploads of files. */
export function createUploadLimiter(): TransferLimiter {
  const message = `At most ${maxPerTenant} files of a tenant can be uploaded at the same time. Send the file again after another upload has ended.`
  return createTransferLimiter({ maxPerTenant, maxTotal: 50, message, reason: 'uploads' })
}
