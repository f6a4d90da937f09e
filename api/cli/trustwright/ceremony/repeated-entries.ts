import { readMinisignKey } from '../../../../shared/formats/minisign.ts'
import { faultAt, type LocalFileFault } from '../files/faults.ts'
import type { TenantFile } from '../files/tenant-file.ts'
import type { Ceremony } from './ceremony-file.ts'

/** One person with two entries could approve twice. */
export function faultsOfApprovers(file: TenantFile, { approvals }: Ceremony): LocalFileFault[] {
  const { required, keys } = approvals
  const ids = keys.map(({ publicKey }) => readMinisignKey(publicKey)?.id)
  return [
    ...(required > keys.length
      ? [faultAt(file, 'approvals.required', `Is more than the ${keys.length} listed keys. Add keys, or require less.`)]
      : []),
    ...repeated(keys.map(({ name }) => name)).map((index) =>
      faultAt(file, `approvals.keys.${index}.name`, 'Occurs twice. Each person is listed once.'),
    ),
    ...repeated(ids).map((index) =>
      faultAt(file, `approvals.keys.${index}.publicKey`, 'Occurs twice. Each person needs a key of their own.'),
    ),
  ]
}

/** Outputs are named after the ids. */
export function faultsOfIds(file: TenantFile, { make }: Ceremony): LocalFileFault[] {
  return repeated(make.map(({ id }) => id)).map((index) =>
    faultAt(file, `make.${index}.id`, 'Occurs twice. Each item needs an id of its own.'),
  )
}

/** Returns the indexes of values that occur before. */
function repeated(values: readonly unknown[]): number[] {
  return values.flatMap((value, index) => (values.indexOf(value) < index ? [index] : []))
}
