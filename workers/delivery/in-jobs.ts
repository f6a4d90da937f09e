import { definitionOf, type JobsOf } from '../../shared/jobs/registry.ts'

/** Items of a job that takes several at once, as its definition has it. */
export function inJobs<Item>(job: JobsOf<'delivery'>, items: Item[]): Item[][] {
  const size = definitionOf(job).batch ?? 1
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))
}
