import { chunksOf } from '../../db/repos/chunks.ts'
import { definitionOf } from '../../shared/jobs/registry.ts'

type BatchJob = 'deliverWebhooks' | 'sendMessages'

/** Splits items into batches of the size that one job takes. */
export function batchesOf<Item>(job: BatchJob, items: Item[]): Item[][] {
  return chunksOf(items, definitionOf(job).batch)
}

/** Returns the queue entries of jobs with several items each. */
export function batchEntries<Item>(job: BatchJob, items: Item[], priority: number) {
  return batchesOf(job, items).map((batch) => ({ payload: { items: batch }, options: { priority } }))
}
