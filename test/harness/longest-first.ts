import { relative } from 'node:path'
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/** What lasts longest, in this order: begun last, it would leave one of two workers alone with it in the end. */
const longest = [
  'test/flows/rolling-restart.test.ts',
  'test/flows/kill.test.ts',
  'test/flows/dependencies.test.ts',
  'test/flows/start.test.ts',
  'test/once/refused-dependencies.test.ts',
  'test/once/documented-commands.test.ts',
  'test/flows/backup.test.ts',
  'test/workers/delivery.test.ts',
  'test/flows/publication-kill.test.ts',
  'test/workers/failing-receiver.test.ts',
  'test/flows/publication.test.ts',
  'test/flows/delivery-flood.test.ts',
  'test/flows/erasure.test.ts',
  'test/flows/fairness.test.ts',
  'test/db/audit.test.ts',
  'test/api/status/bulk.test.ts',
  'test/flows/deferred.test.ts',
  'test/flows/redis-outage.test.ts',
  'test/workers/serve.test.ts',
]

/** Vitest knows the duration of a file only if it ran before. Otherwise it uses the size of the file. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longest.indexOf(relative(this.ctx.config.root, moduleId))
      return place === -1 ? longest.length : place
    }
    return (await super.sort(files)).sort((one, other) => placeOf(one) - placeOf(other))
  }
}
